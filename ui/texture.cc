#include "ui/texture.h"

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

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
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, static_cast<GLint>(stride / 3));
  if (fresh) {
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, width, height, 0, GL_BGR, GL_UNSIGNED_BYTE, bgr);
  } else {
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_BGR, GL_UNSIGNED_BYTE, bgr);
  }
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

ShownPicture Texture::Shown() const {
  // ImGui's OpenGL backend takes a texture's name for its id.
  return {reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(id_)),
          static_cast<float>(width_), static_cast<float>(height_)};
}

}  // namespace fos
