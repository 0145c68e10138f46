#include "ui/window.h"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>
#include <imgui.h>

#define GLFW_INCLUDE_GLEXT
#include <GLFW/glfw3.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <opencv2/core.hpp>
#include <vector>

#include "ui/rulings_panel.h"
#include "ui/screen.h"
#include "ui/texture.h"
#include "vision/diagnostics.h"
#include "vision/evidence.h"

namespace fos {
namespace {

using Clock = std::chrono::steady_clock;

Error NoDisplay(const std::string& why) {
  return Error{ErrorCode::kUnsupported,
               fmt::format("no display: use `fallofshot judge`, which needs none ({})", why)};
}

std::string LastGlfwError() {
  const char* words = nullptr;
  glfwGetError(&words);
  return words != nullptr ? words : "no window system answers";
}

}  // namespace

struct Window::Impl {
  GLFWwindow* window = nullptr;
  WindowOptions options;
  Theme theme;
  ViewState view;
  std::vector<double> frame_ms;
  int still_frames = 0;  // frames to draw yet until everything has settled
  // Where the window was before it filled the screen.
  bool is_full = false;
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;

  struct Pictures {
    Texture frame;
    Texture before;
    Texture after;
    std::int64_t frame_index = -1;
    std::shared_ptr<const EvidencePanels> panels;
  };
  std::unique_ptr<Pictures> pictures;

  ~Impl() {
    if (window != nullptr) {
      pictures.reset();
      ImGui_ImplOpenGL3_Shutdown();
      ImGui_ImplGlfw_Shutdown();
      ImGui::DestroyContext();
      glfwDestroyWindow(window);
    }
    glfwTerminate();
  }

  void Restyle(bool fonts) {
    const float scale = view.ui_scale;
    ImFont* const body = theme.body;
    ImFont* const title = theme.title;
    theme = MakeTheme(view.light_theme, view.safe_colours, scale);
    theme.body = body;
    theme.title = title;
    if (fonts) {
      ImGui_ImplOpenGL3_DestroyFontsTexture();
      LoadFonts(theme);
      ImGui_ImplOpenGL3_CreateFontsTexture();
    }
    ApplyStyle(theme);
  }

  void FollowView() {
    if (theme.scale != view.ui_scale || theme.body == nullptr) {
      Restyle(/*fonts=*/true);
    } else if (theme.light != view.light_theme || theme.safe_colours != view.safe_colours) {
      Restyle(/*fonts=*/false);
    }
    if (view.full_screen == is_full) return;
    is_full = view.full_screen;
    if (is_full) {
      glfwGetWindowPos(window, &x, &y);
      glfwGetWindowSize(window, &width, &height);
      GLFWmonitor* monitor = glfwGetPrimaryMonitor();
      const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
      if (mode != nullptr) {
        glfwSetWindowMonitor(window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
      }
    } else {
      glfwSetWindowMonitor(window, nullptr, x, y, width, height, 0);
    }
  }

  // Uploads what has changed, and only that.
  void TakePictures(const Snapshot& shown) {
    const Frame& frame = shown.frame;
    if (!frame.bgr.empty() && frame.id.index != pictures->frame_index) {
      pictures->frame.Upload(frame.bgr.data, frame.bgr.cols, frame.bgr.rows, frame.bgr.step);
      pictures->frame_index = frame.id.index;
    }
    const ShotShown* shot = ChosenShot(shown, view);
    const auto panels = shot != nullptr && shot->panels != nullptr ? shot->panels->Get() : nullptr;
    if (panels == pictures->panels) return;
    pictures->panels = panels;
    if (panels == nullptr) {
      pictures->before.Clear();
      pictures->after.Clear();
      return;
    }
    const cv::Mat& before = panels->before;
    const cv::Mat& after = panels->after;
    pictures->before.Upload(before.data, before.cols, before.rows, before.step);
    pictures->after.Upload(after.data, after.cols, after.rows, after.step);
  }

  // Draws one frame; the picture of it, when asked for, is taken before it is shown: what the front
  // buffer holds then is the window system's business.
  Status DrawFrame(const Snapshot& shown, WordSink& words, bool photograph) {
    const Clock::time_point start = Clock::now();
    FollowView();
    TakePictures(shown);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    DrawScreen(theme, shown,
               {pictures->frame.Shown(), pictures->before.Shown(), pictures->after.Shown()}, view,
               words);
    ImGui::Render();
    int wide = 0;
    int high = 0;
    glfwGetFramebufferSize(window, &wide, &high);
    glViewport(0, 0, wide, high);
    // The ground is cleared, not painted: where the processor draws, every pixel painted counts.
    const ImVec4 ground = ToVec4(theme.window);
    glClearColor(ground.x, ground.y, ground.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glFinish();
    frame_ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    const Status photographed = photograph ? Photograph() : Ok();
    glfwSwapBuffers(window);
    return photographed;
  }

  Status Photograph() const {
    int wide = 0;
    int high = 0;
    glfwGetFramebufferSize(window, &wide, &high);
    cv::Mat rows(std::max(high, 1), std::max(wide, 1), CV_8UC3);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadBuffer(GL_BACK);
    glReadPixels(0, 0, wide, high, GL_BGR, GL_UNSIGNED_BYTE, rows.data);
    cv::Mat upright;
    cv::flip(rows, upright, 0);  // OpenGL counts rows from the bottom
    return WritePicture(upright, options.screenshot);
  }
};

Window::Window(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Window::~Window() = default;

Result<std::unique_ptr<Window>> Window::Open(const WindowOptions& options) {
  auto impl = std::make_unique<Impl>();
  if (glfwInit() != GLFW_TRUE) return NoDisplay(LastGlfwError());
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 2);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  GLFWwindow* window =
      glfwCreateWindow(options.width, options.height, "Fall of Shot", nullptr, nullptr);
  if (window == nullptr) return NoDisplay(LastGlfwError());
  glfwMakeContextCurrent(window);
  glfwSwapInterval(1);
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // the layout follows the window's size; nothing to remember
  io.LogFilename = nullptr;
  ImGui_ImplGlfw_InitForOpenGL(window, /*install_callbacks=*/true);
  ImGui_ImplOpenGL3_Init("#version 150");
  impl->window = window;
  impl->options = options;
  impl->pictures = std::make_unique<Impl::Pictures>();
  float content_scale = 1;
  glfwGetWindowContentScale(window, &content_scale, nullptr);
  ViewState& view = impl->view;
  view.ui_scale = options.ui_scale > 0           ? static_cast<float>(options.ui_scale)
                  : std::isfinite(content_scale) ? std::clamp(content_scale, 1.0F, 4.0F)
                                                 : 1.0F;
  view.light_theme = options.light;
  view.safe_colours = options.safe_colours;
  view.full_screen = options.full_screen;
  return std::unique_ptr<Window>(new Window(std::move(impl)));
}

void Window::Wake() { glfwPostEmptyEvent(); }

Status Window::Run(const std::function<std::shared_ptr<const Snapshot>()>& now, WordSink& words) {
  Impl& impl = *impl_;
  // ImGui needs a frame or two to settle after an input, and blinks a cursor while words are typed.
  constexpr int kSettleFrames = 3;
  constexpr double kIdle_s = 0.5;
  std::shared_ptr<const Snapshot> drawn;
  int last_frames = 0;  // drawn since the recording ended
  while (glfwWindowShouldClose(impl.window) == 0 && !impl.view.quit) {
    if (impl.still_frames > 0) {
      glfwPollEvents();
    } else {
      glfwWaitEventsTimeout(kIdle_s);
    }
    const std::shared_ptr<const Snapshot> shown = now();
    // Something woke us: an event, a new picture, or the time-out, which costs one frame.
    impl.still_frames = shown != drawn ? kSettleFrames : std::max(impl.still_frames - 1, 0);
    drawn = shown;
    const Status status = impl.DrawFrame(*shown, words, /*photograph=*/false);
    if (!status.ok()) return status;
    const bool over = shown->watching == Watching::kEnded || shown->watching == Watching::kFailed;
    if (!over || !impl.options.exit_at_end) continue;
    // The evidence of the last shot belongs on the screenshot.
    const ShotShown* shot = ChosenShot(*shown, impl.view);
    const bool drawing =
        shot != nullptr && shot->panels != nullptr && shot->panels->Get() == nullptr;
    impl.still_frames = kSettleFrames;
    if (!drawing && ++last_frames > kSettleFrames) break;
  }
  if (impl.options.screenshot.empty()) return Ok();
  return impl.DrawFrame(*now(), words, /*photograph=*/true);
}

WindowTimes Window::Times() const {
  return {impl_->frame_ms.size(), StageTimes::Percentile(impl_->frame_ms, 0.5),
          StageTimes::Percentile(impl_->frame_ms, 0.99)};
}

}  // namespace fos
