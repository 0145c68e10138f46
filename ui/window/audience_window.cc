// SPDX-License-Identifier: MIT
#include "ui/window/audience_window.h"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <GLFW/glfw3.h>

#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

#include <opencv2/core.hpp>

#include "ui/window/audience_panel.h"
#include "ui/window/damage.h"
#include "ui/window/texture.h"
#include "vision/shots/evidence.h"

namespace fos {
namespace {

using AudienceClock = std::chrono::steady_clock;

// Makes a window and its ImGui context current, and afterwards those from before.
class Current {
 public:
  Current(GLFWwindow* window, ImGuiContext* context)
      : window_(glfwGetCurrentContext()), context_(ImGui::GetCurrentContext()) {
    glfwMakeContextCurrent(window);
    ImGui::SetCurrentContext(context);
  }
  ~Current() {
    glfwMakeContextCurrent(window_);
    ImGui::SetCurrentContext(context_);
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  GLFWwindow* window_;
  ImGuiContext* context_;
};

}  // namespace

struct AudienceWindow::Impl {
  GLFWwindow* window = nullptr;
  ImGuiContext* context = nullptr;
  Theme theme;
  bool loaded = false;  // the fonts of `theme`
  std::unique_ptr<FrameStore> store;
  std::unique_ptr<Texture> place;
  cv::Mat place_of;  // what was sent to `place`
  std::vector<ImTextureID> stale;
  Damage damage;
  bool exposed = true;  // the window system has lost its content
  AudienceClock::time_point drawn{};

  ~Impl() {
    if (window == nullptr) return;
    if (context != nullptr) {
      const Current current(window, context);
      store.reset();
      place.reset();
      ImGui_ImplOpenGL3_Shutdown();
      ImGui_ImplGlfw_Shutdown();
      ImGui::DestroyContext(context);
    }
    glfwDestroyWindow(window);
  }

  // The fonts are large whatever the players' scale is, so that nothing is magnified.
  void FollowLook(const Theme& look, float height) {
    const float scale = std::max(1.0F, height / 720);
    const bool same = loaded && theme.light == look.light &&
                      theme.safe_colours == look.safe_colours && theme.scale == scale;
    if (same) return;
    const bool fonts = !loaded || theme.scale != scale;
    ImFont* const body = theme.body;
    ImFont* const title = theme.title;
    ImFont* const huge = theme.huge;
    theme = MakeTheme(look.light, look.safe_colours, scale);
    if (fonts) {
      ImGui_ImplOpenGL3_DestroyFontsTexture();
      LoadFonts(theme);
      ImGui_ImplOpenGL3_CreateFontsTexture();
    } else {
      theme.body = body;
      theme.title = title;
      theme.huge = huge;
    }
    ApplyStyle(theme);
    loaded = true;
    damage.Forget();
  }

  void TakePlace(const ShotShown* shot) {
    cv::Mat wanted;
    const auto archived =
        shot != nullptr && shot->archived != nullptr ? shot->archived->Get() : nullptr;
    if (archived != nullptr) wanted = archived->seen.pictures.after;
    if (wanted.data == place_of.data) return;
    place_of = wanted;
    if (wanted.empty()) {
      place->Clear();
      return;
    }
    cv::Mat bgr;
    wanted.convertTo(bgr, CV_8UC3);
    place->Upload(bgr.data, bgr.cols, bgr.rows, bgr.step);
    stale.push_back(place->Shown().texture);
  }

  // photograph  draws the whole and leaves it in the window's back buffer.
  void Draw(const Theme& look, const Snapshot& shown, const ViewState& view, const GameShown* game,
            bool photograph) {
    int wide = 0;
    int high = 0;
    glfwGetFramebufferSize(window, &wide, &high);
    if (wide <= 0 || high <= 0) return;
    FollowLook(look, static_cast<float>(high));
    const std::shared_ptr<const ShotShown> shot = ShotForAudience(shown, view);
    TakePlace(shot.get());
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    DrawAudience(theme, shown, shot, place->Shown(), game, ImGui::GetIO().DisplaySize);
    ImGui::Render();
    ImDrawData& data = *ImGui::GetDrawData();
    if (store->Begin(wide, high)) damage.Forget();
    const ScreenRect again = damage.Trim(data, stale, false);
    stale.clear();
    if (again.Width() > 0) {
      glViewport(0, 0, wide, high);
      const ImVec4 ground = ToVec4(theme.window);
      const float rgb[3] = {ground.x, ground.y, ground.z};
      const ImVec2 scale = data.FramebufferScale;
      const int x = static_cast<int>(std::floor(again.low.x * scale.x));
      const int y = static_cast<int>(std::floor(again.low.y * scale.y));
      FrameStore::Clear(x, y, static_cast<int>(std::ceil(again.high.x * scale.x)) - x,
                        static_cast<int>(std::ceil(again.high.y * scale.y)) - y, high, rgb);
      ImGui_ImplOpenGL3_RenderDrawData(&data);
    } else if (!exposed && !photograph) {
      return;
    }
    exposed = false;
    store->Show();
    if (!photograph) glfwSwapBuffers(window);
  }
};

AudienceWindow::AudienceWindow(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
AudienceWindow::~AudienceWindow() = default;

Result<std::unique_ptr<AudienceWindow>> AudienceWindow::Open(GLFWwindow* players, int width,
                                                             int height) {
  auto impl = std::make_unique<Impl>();
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  GLFWmonitor* second = count > 1 ? monitors[1] : nullptr;
  const GLFWvidmode* mode = second != nullptr ? glfwGetVideoMode(second) : nullptr;
  if (mode != nullptr) {
    width = mode->width;
    height = mode->height;
  }
  // Onlookers must not take the keyboard from the players.
  glfwWindowHint(GLFW_FOCUSED, GLFW_FALSE);
  glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);
  glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE);
  impl->window = glfwCreateWindow(width, height, "Fall of Shot: audience",
                                  mode != nullptr ? second : nullptr, nullptr);
  glfwWindowHint(GLFW_FOCUSED, GLFW_TRUE);
  glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_TRUE);
  glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_TRUE);
  if (impl->window == nullptr)
    return Error{ErrorCode::kUnsupported, "no second window can be opened for the audience"};
  ImGuiContext* const before = ImGui::GetCurrentContext();
  impl->context = ImGui::CreateContext();
  ImGui::SetCurrentContext(before);
  {
    const Current current(impl->window, impl->context);
    glfwSwapInterval(0);  // only the players' window waits for its screen
    ImGui::GetIO().IniFilename = nullptr;
    ImGui_ImplGlfw_InitForOpenGL(impl->window, /*install_callbacks=*/false);
    ImGui_ImplOpenGL3_Init("#version 150");
    impl->store = std::make_unique<FrameStore>(false);
    impl->place = std::make_unique<Texture>();
    glfwSetWindowUserPointer(impl->window, impl.get());
    glfwSetWindowRefreshCallback(impl->window, [](GLFWwindow* of) {
      static_cast<Impl*>(glfwGetWindowUserPointer(of))->exposed = true;
    });
  }
  glfwMakeContextCurrent(players);
  return std::unique_ptr<AudienceWindow>(new AudienceWindow(std::move(impl)));
}

void AudienceWindow::Draw(const Theme& look, const Snapshot& shown, const ViewState& view,
                          const GameShown* game) {
  constexpr std::chrono::milliseconds kLeast{150};
  const AudienceClock::time_point now = AudienceClock::now();
  if (now - impl_->drawn < kLeast) return;
  impl_->drawn = now;
  const Current current(impl_->window, impl_->context);
  impl_->Draw(look, shown, view, game, /*photograph=*/false);
}

Status AudienceWindow::Photograph(const Theme& look, const Snapshot& shown, const ViewState& view,
                                  const GameShown* game, const std::filesystem::path& file) {
  const Current current(impl_->window, impl_->context);
  impl_->Draw(look, shown, view, game, /*photograph=*/true);
  int wide = 0;
  int high = 0;
  glfwGetFramebufferSize(impl_->window, &wide, &high);
  const Status written = WritePicture(PixelsOfWindow(wide, high).bgr, file);
  glfwSwapBuffers(impl_->window);
  return written;
}

bool AudienceWindow::Closed() const { return glfwWindowShouldClose(impl_->window) != 0; }

}  // namespace fos
