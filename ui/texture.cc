#define GL_GLEXT_PROTOTYPES
#include "ui/texture.h"

#include <GL/gl.h>
#include <GL/glext.h>

#include <algorithm>
#include <opencv2/imgproc.hpp>

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

bool Texture::UploadShrunk(const std::uint8_t* bgr, int width, int height, std::size_t stride,
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
  cv::Mat upward;
  cv::flip(bgra, upward, 0);  // frame buffers count rows from the bottom
  Send(upward.data, upward.cols, upward.rows, /*as_screen=*/true);
  shrunk_ = true;
  place_ = place;
  return true;
}

void Texture::CopyToScreen(const PicturePlace& place, int frame_height) const {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, reader_);
  glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, id_, 0);
  glDisable(GL_SCISSOR_TEST);
  const int bottom = frame_height - place.to_y - place.to_height;
  glBlitFramebuffer(0, 0, width_, height_, place.to_x, bottom, place.to_x + width_,
                    bottom + height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glEnable(GL_SCISSOR_TEST);
}

FrameStore::~FrameStore() {
  if (buffer_ != 0) glDeleteFramebuffers(1, &buffer_);
  if (pixels_ != 0) glDeleteTextures(1, &pixels_);
}

bool FrameStore::Begin(int width, int height) {
  const bool fresh = buffer_ == 0 || width != width_ || height != height_;
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

void FrameStore::Show() const {
  glDisable(GL_SCISSOR_TEST);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, buffer_);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
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
