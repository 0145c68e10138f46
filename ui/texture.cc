#include "ui/texture.h"

#include <GL/gl.h>
#include <GL/glext.h>

#include <opencv2/imgproc.hpp>

namespace fos {

Texture::~Texture() { Clear(); }

void Texture::Clear() {
  if (id_ != 0) glDeleteTextures(1, &id_);
  id_ = 0;
  width_ = 0;
  height_ = 0;
}

void Texture::Upload(const std::uint8_t* bgr, int width, int height, std::size_t stride) {
  if (bgr == nullptr || width <= 0 || height <= 0) return;
  const bool fresh = id_ == 0 || width != width_ || height != height_;
  if (fresh) {
    Clear();
    glGenTextures(1, &id_);
    width_ = width;
    height_ = height;
  }
  glBindTexture(GL_TEXTURE_2D, id_);
  // Four bytes a pixel is what the cards keep: anything else they convert themselves, slowly.
  const cv::Mat rows(height, width, CV_8UC3, const_cast<std::uint8_t*>(bgr), stride);
  cv::Mat bgra;
  cv::cvtColor(rows, bgra, cv::COLOR_BGR2BGRA);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  if (fresh) {
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_BGRA, GL_UNSIGNED_BYTE,
                 bgra.data);
  } else {
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_BGRA, GL_UNSIGNED_BYTE, bgra.data);
  }
}

ShownPicture Texture::Shown() const {
  // ImGui's OpenGL backend takes a texture's name for its id.
  return {reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(id_)),
          static_cast<float>(width_), static_cast<float>(height_)};
}

}  // namespace fos
