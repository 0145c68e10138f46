// SPDX-License-Identifier: MIT
#define GL_GLEXT_PROTOTYPES
#include "ui/window/texture.h"

#include <GL/gl.h>
#include <GL/glext.h>

#include <algorithm>
#include <opencv2/imgproc.hpp>
#include <string>

namespace fos {
namespace {

// OpenCV halves with a loop of its own; what is left to shrink after it is less than by two.
cv::Mat Halved(cv::Mat rows, int times) {
  for (int i = 0; i < times; ++i) {
    cv::Mat smaller;
    cv::resize(rows, smaller, {std::max(rows.cols / 2, 1), std::max(rows.rows / 2, 1)}, 0, 0,
               cv::INTER_AREA);
    rows = smaller;
  }
  return rows;
}

cv::Mat PartOf(const std::uint8_t* bgr, int width, int height, std::size_t stride, cv::Rect part) {
  const cv::Mat whole(height, width, CV_8UC3, const_cast<std::uint8_t*>(bgr), stride);
  return whole(part & cv::Rect(0, 0, width, height));
}

}  // namespace

Texture::~Texture() { Clear(); }

void Texture::Clear() {
  if (id_ != 0) glDeleteTextures(1, &id_);
  if (reader_ != 0) glDeleteFramebuffers(1, &reader_);
  id_ = 0;
  reader_ = 0;
  width_ = 0;
  height_ = 0;
}

void Texture::Send(const std::uint8_t* bgra, int width, int height, bool as_screen) {
  const bool fresh = id_ == 0 || as_screen != as_screen_ || width != width_ || height != height_;
  if (fresh) {
    Clear();
    glGenTextures(1, &id_);
    glGenFramebuffers(1, &reader_);
    width_ = width;
    height_ = height;
    as_screen_ = as_screen;
  }
  glBindTexture(GL_TEXTURE_2D, id_);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  if (fresh) {
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    // Without a size in its name the format is the card's own choice for what is sent: the
    // screen's, which is copied as it is.
    glTexImage2D(GL_TEXTURE_2D, 0, as_screen ? GL_RGBA : GL_RGBA8, width, height, 0, GL_BGRA,
                 GL_UNSIGNED_BYTE, bgra);
  } else {
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_BGRA, GL_UNSIGNED_BYTE, bgra);
  }
}

void Texture::Upload(const std::uint8_t* bgr, int width, int height, std::size_t stride) {
  Upload(bgr, width, height, stride, {0, 0, width, height, 0});
}

void Texture::Upload(const std::uint8_t* bgr, int width, int height, std::size_t stride,
                     const PictureCut& cut) {
  if (bgr == nullptr || width <= 0 || height <= 0) return;
  const cv::Rect part =
      cv::Rect(cut.x_px, cut.y_px, cut.width_px, cut.height_px) & cv::Rect(0, 0, width, height);
  if (part.empty()) return;
  const cv::Mat rows = Halved(PartOf(bgr, width, height, stride, part), cut.halvings);
  whole_width_ = width;
  whole_height_ = height;
  cut_ = {part.x, part.y, part.width, part.height, cut.halvings};
  shrunk_ = false;
  // Four bytes a pixel is what the cards keep: anything else they convert themselves, slowly.
  cv::Mat bgra;
  cv::cvtColor(rows, bgra, cv::COLOR_BGR2BGRA);
  Send(bgra.data, bgra.cols, bgra.rows, /*as_screen=*/false);
}

bool Texture::Shrink(const std::uint8_t* bgr, int width, int height, std::size_t stride,
                     const PicturePlace& place, bool fresh) {
  if (bgr == nullptr || place.to_width <= 0 || place.to_height <= 0) return false;
  if (shrunk_ && !fresh && place == place_) return true;
  cv::Mat rows =
      PartOf(bgr, width, height, stride, {place.x_px, place.y_px, place.width_px, place.height_px});
  if (rows.empty()) return false;
  int halvings = 0;
  while ((rows.cols >> (halvings + 1)) >= place.to_width) ++halvings;
  rows = Halved(rows, halvings);
  cv::Mat exact;
  cv::resize(rows, exact, {place.to_width, place.to_height}, 0, 0, cv::INTER_LINEAR);
  cv::Mat bgra;
  cv::cvtColor(exact, bgra, cv::COLOR_BGR2BGRA);
  shrunk_pixels_.resize(bgra.total() * bgra.elemSize());
  cv::Mat upward(bgra.rows, bgra.cols, CV_8UC4, shrunk_pixels_.data());
  if (rows_from_top_) {
    bgra.copyTo(upward);
  } else {
    cv::flip(bgra, upward, 0);  // frame buffers count rows from the bottom
  }
  shrunk_ = true;
  unsent_ = true;
  place_ = place;
  return true;
}

void Texture::SendShrunk(const PixelRect& area, const float ground[3], const OverlayLayer& layer,
                         std::uint64_t layer_id) {
  if (!shrunk_ || area.width <= 0 || area.height <= 0) return;
  if (id_ != 0 && !unsent_ && as_screen_ && area == area_ && layer_id == layer_id_) return;
  const auto byte = [&](int c) { return cv::saturate_cast<std::uint8_t>(255 * ground[c]); };
  const cv::Rect whole(0, 0, area.width, area.height);
  const int down = place_.to_y - area.y;
  const cv::Rect at(place_.to_x - area.x,
                    rows_from_top_ ? down : area.height - down - place_.to_height, place_.to_width,
                    place_.to_height);
  const cv::Rect seen = at & whole;
  cv::Mat out(area.height, area.width, CV_8UC4);
  if (seen != whole) out.setTo(cv::Scalar(byte(2), byte(1), byte(0), 255));
  const cv::Mat picture(place_.to_height, place_.to_width, CV_8UC4, shrunk_pixels_.data());
  if (!seen.empty()) picture(seen - at.tl()).copyTo(out(seen));
  const bool layered =
      layer_id != 0 && layer.Width() == area.width && layer.Height() == area.height;
  if (layered) layer.Over(out.data, out.step);
  Send(out.data, out.cols, out.rows, /*as_screen=*/true);
  unsent_ = false;
  area_ = area;
  layer_id_ = layer_id;
}

void Texture::CopyToScreen(const PixelRect& part, int frame_height) const {
  const cv::Rect sent(area_.x, area_.y, width_, height_);
  const cv::Rect to = sent & cv::Rect(part.x, part.y, part.width, part.height);
  if (id_ == 0 || to.empty()) return;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, reader_);
  glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, id_, 0);
  // Cut here and not by the scissor: a whole rectangle is copied, a cut one is drawn.
  glDisable(GL_SCISSOR_TEST);
  const int from_x = to.x - sent.x;
  const int from_y = rows_from_top_ ? to.y - sent.y : sent.y + sent.height - to.y - to.height;
  const int bottom = frame_height - to.y - to.height;
  const int top = bottom + to.height;
  glBlitFramebuffer(from_x, from_y, from_x + to.width, from_y + to.height, to.x,
                    rows_from_top_ ? top : bottom, to.x + to.width, rows_from_top_ ? bottom : top,
                    GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glEnable(GL_SCISSOR_TEST);
}

FrameStore::~FrameStore() {
  if (buffer_ != 0) glDeleteFramebuffers(1, &buffer_);
  if (pixels_ != 0) glDeleteTextures(1, &pixels_);
}

bool ProcessorDraws() {
  const GLubyte* const words = glGetString(GL_RENDERER);
  const std::string renderer = words != nullptr ? reinterpret_cast<const char*>(words) : "";
  return renderer.rfind("llvmpipe", 0) == 0 || renderer.rfind("softpipe", 0) == 0;
}

bool FrameStore::Begin(int width, int height) {
  const bool other = width != width_ || height != height_;
  if (itself_) {
    width_ = width;
    height_ = height;
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return other;
  }
  const bool fresh = buffer_ == 0 || other;
  if (fresh) {
    if (pixels_ != 0) glDeleteTextures(1, &pixels_);
    if (buffer_ == 0) glGenFramebuffers(1, &buffer_);
    glGenTextures(1, &pixels_);
    glBindTexture(GL_TEXTURE_2D, pixels_);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width, height, 0, GL_BGRA, GL_UNSIGNED_BYTE, nullptr);
    width_ = width;
    height_ = height;
  }
  glBindFramebuffer(GL_FRAMEBUFFER, buffer_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, pixels_, 0);
  return fresh;
}

void FrameStore::Clear(int x, int y, int width, int height, int frame_height, const float rgb[3]) {
  glEnable(GL_SCISSOR_TEST);
  glScissor(x, frame_height - y - height, width, height);
  glClearColor(rgb[0], rgb[1], rgb[2], 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glDisable(GL_SCISSOR_TEST);
}

void FrameStore::ClearToNothing() {
  glDisable(GL_SCISSOR_TEST);
  glClearColor(0, 0, 0, 0);
  glClear(GL_COLOR_BUFFER_BIT);
}

void FrameStore::Show() const {
  if (itself_) return;
  glDisable(GL_SCISSOR_TEST);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, buffer_);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void FrameStore::ReadFromWindow() {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  glReadBuffer(GL_BACK);
}

std::vector<std::uint8_t> FrameStore::Read(const PixelRect& part, int frame_height, bool from_top) {
  std::vector<std::uint8_t> out(4 * static_cast<std::size_t>(std::max(part.width, 0)) *
                                static_cast<std::size_t>(std::max(part.height, 0)));
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(part.x, frame_height - part.y - part.height, part.width, part.height, GL_BGRA,
               GL_UNSIGNED_BYTE, out.data());
  if (from_top && !out.empty()) {
    cv::Mat rows(part.height, part.width, CV_8UC4, out.data());
    cv::flip(rows, rows, 0);
  }
  return out;
}

Frame PixelsOfWindow(int width, int height) {
  cv::Mat rows(std::max(height, 1), std::max(width, 1), CV_8UC3);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  FrameStore::ReadFromWindow();
  glReadPixels(0, 0, width, height, GL_BGR, GL_UNSIGNED_BYTE, rows.data);
  cv::Mat upright;
  cv::flip(rows, upright, 0);  // OpenGL counts rows from the bottom
  return {{}, 0, upright};
}

ShownPicture Texture::Shown() const {
  ShownPicture out;
  // ImGui's OpenGL backend takes a texture's name for its id.
  out.texture = reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(id_));
  out.width = static_cast<float>(whole_width_);
  out.height = static_cast<float>(whole_height_);
  out.part = cut_;
  return out;
}

}  // namespace fos
