// SPDX-License-Identifier: MIT
#include "ui/window/window.h"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>
#include <imgui.h>

#define GLFW_INCLUDE_GLEXT
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <utility>
#include <vector>

#include "engine/table/quantile.h"
#include "ui/window/audience_window.h"
#include "ui/window/damage.h"
#include "ui/window/input_queue.h"
#include "ui/window/keys.h"
#include "ui/window/rulings_panel.h"
#include "ui/window/screen.h"
#include "ui/window/settings_panel.h"
#include "ui/window/sound.h"
#include "ui/window/speech.h"
#include "ui/window/texture.h"
#include "vision/shots/evidence.h"

namespace fos {
namespace {

using Clock = std::chrono::steady_clock;

// What a frame is drawn for besides the screen.
enum class Photo { kNone, kScreenshot, kKeepsake };

// instead  what to do without one; may be empty.
Error NoDisplay(const std::string& instead, const std::string& why) {
  return Error{ErrorCode::kUnsupported,
               instead.empty() ? fmt::format("no display ({})", why)
                               : fmt::format("no display: {} ({})", instead, why)};
}

// A picture that was kept of a game; empty where there is none.
cv::Mat SmallPicture(const std::filesystem::path& file) {
  std::error_code ec;
  if (file.empty() || !std::filesystem::is_regular_file(file, ec)) return {};
  return cv::imread(file.string(), cv::IMREAD_COLOR);
}

// The screen that shows most of the window; nullptr: none is known.
GLFWmonitor* MonitorOf(GLFWwindow* window) {
  cv::Rect here;
  glfwGetWindowPos(window, &here.x, &here.y);
  glfwGetWindowSize(window, &here.width, &here.height);
  int count = 0;
  GLFWmonitor** const all = glfwGetMonitors(&count);
  GLFWmonitor* best = glfwGetPrimaryMonitor();
  int most = 0;
  for (int i = 0; i < count; ++i) {
    const GLFWvidmode* mode = glfwGetVideoMode(all[i]);
    if (mode == nullptr) continue;
    cv::Rect screen(0, 0, mode->width, mode->height);
    glfwGetMonitorPos(all[i], &screen.x, &screen.y);
    const int shown = (screen & here).area();
    if (shown <= most) continue;
    most = shown;
    best = all[i];
  }
  return best;
}

// The scale of the screen that a window is on: what the desktop says of it. On a screen of many rows
// of which it says nothing, letters would be too small to read.
float ScreenScale(GLFWwindow* window) {
  float said = 1;
  glfwGetWindowContentScale(window, &said, nullptr);
  if (!std::isfinite(said)) said = 1;
  GLFWmonitor* const monitor = MonitorOf(window);
  const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
  constexpr float kRows = 1350;  // 1.6 on a screen of 2160 rows, and 1 up to 1440
  constexpr float kMany = 1600;
  const auto rows = static_cast<float>(mode != nullptr ? mode->height : 0);
  return std::clamp(rows > kMany ? std::max(said, rows / kRows) : said, 1.0F, 4.0F);
}

// Makes the window as large as is wished, but no larger than what the desktop's panels leave of its
// screen, with the frame that the desktop draws about it.
void SetSizeOnScreen(GLFWwindow* window, int width, int height) {
  GLFWmonitor* const monitor = MonitorOf(window);
  cv::Rect room;
  if (monitor != nullptr)
    glfwGetMonitorWorkarea(monitor, &room.x, &room.y, &room.width, &room.height);
  int left = 0;
  int top = 0;
  int right = 0;
  int bottom = 0;
  glfwGetWindowFrameSize(window, &left, &top, &right, &bottom);
  room = {room.x + left, room.y + top, room.width - left - right, room.height - top - bottom};
  if (room.width <= 0 || room.height <= 0) room = {};  // the desktop does not say
  cv::Rect fits(0, 0, width, height);
  if (!room.empty()) fits = {0, 0, std::min(width, room.width), std::min(height, room.height)};
  cv::Rect now;
  glfwGetWindowPos(window, &now.x, &now.y);
  glfwGetWindowSize(window, &now.width, &now.height);
  if (now.size() != fits.size()) glfwSetWindowSize(window, fits.width, fits.height);
  fits += now.tl();
  if (room.empty() || (fits & room) == fits) return;
  glfwSetWindowPos(window, std::clamp(fits.x, room.x, room.x + room.width - fits.width),
                   std::clamp(fits.y, room.y, room.y + room.height - fits.height));
}

// All pixels of the frame buffer that it touches.
PixelRect PixelsOf(const ScreenRect& area, ImVec2 scale) {
  const int x = static_cast<int>(std::floor(area.low.x * scale.x));
  const int y = static_cast<int>(std::floor(area.low.y * scale.y));
  return {x, y, static_cast<int>(std::ceil(area.high.x * scale.x)) - x,
          static_cast<int>(std::ceil(area.high.y * scale.y)) - y};
}

// The parts of `part` outside `hole`: above, below, left and right.
std::array<PixelRect, 4> Around(const PixelRect& part, const PixelRect& hole) {
  const int left = std::clamp(hole.x, part.x, part.x + part.width);
  const int right = std::clamp(hole.x + hole.width, left, part.x + part.width);
  const int top = std::clamp(hole.y, part.y, part.y + part.height);
  const int bottom = std::clamp(hole.y + hole.height, top, part.y + part.height);
  return {PixelRect{part.x, part.y, part.width, top - part.y},
          {part.x, bottom, part.width, part.y + part.height - bottom},
          {part.x, top, left - part.x, bottom - top},
          {right, top, part.x + part.width - right, bottom - top}};
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
  std::vector<double> new_ms;  // of the frames that had something new to show
  float first_scale = 1;       // until the player chooses another
  int still_frames = 0;        // frames still to draw until the layout has settled
  // The window's place before it filled the screen.
  bool is_full = false;
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;

  // Uploads only what has changed.
  struct Pictures : PictureFeed {
    Texture frame;
    Texture before;
    Texture after;
    Texture around;     // the place of the shot whose verdict fills the screen
    cv::Mat around_of;  // what was sent to it
    Texture film;       // the picture of the shot's film that is due
    std::shared_ptr<const FilmPicture> film_of;  // what was sent to it
    cv::Mat newest;
    const std::uint8_t* uploaded = nullptr;  // the pixels on the card; `newest` keeps them alive
    PictureCut cut;
    std::shared_ptr<const EvidencePanels> panels;

    ImVec2 Size() const override {
      return {static_cast<float>(newest.cols), static_cast<float>(newest.rows)};
    }
    void Paint(ImDrawList& list, const PictureCut& wanted, const Placement& placed,
               const ScreenRect& area) override {
      if (newest.empty() || wanted.width_px <= 0) return;
      // Shrink on the processor and copy. Without a graphics card that is several times cheaper
      // than a textured rectangle. To magnify, use OpenGL, which interpolates.
      const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
      if (placed.scale * scale.x <= 1) {
        const PicturePlace place = PlaceFor(newest.cols, newest.rows, area, placed, scale);
        copied = copied || uploaded != newest.data || place != last_place;
        last_place = place;
        if (frame.Shrink(newest.data, newest.cols, newest.rows, newest.step, place,
                         uploaded != newest.data)) {
          copy = {&frame, scale, 0, PixelsOf(area, scale)};
          list.AddCallback(
              [](const ImDrawList*, const ImDrawCmd* command) {
                const auto& what = *static_cast<const Copy*>(command->UserCallbackData);
                const ImVec4& clip = command->ClipRect;
                what.from->CopyToScreen(PixelsOf({{clip.x, clip.y}, {clip.z, clip.w}}, what.scale),
                                        what.frame_height);
              },
              &copy);
          list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
        }
      } else {
        if (uploaded != newest.data || wanted != cut || frame.IsShrunk()) {
          frame.Upload(newest.data, newest.cols, newest.rows, newest.step, wanted);
          cut = wanted;
          stale.push_back(frame.Shown().texture);
        }
        const ShownPicture shown = frame.Shown();
        const PictureCut& part = shown.part;
        list.AddImage(shown.texture, placed.ToScreen(part.x_px, part.y_px),
                      placed.ToScreen(part.x_px + part.width_px, part.y_px + part.height_px));
      }
      uploaded = newest.data;
    }
    struct Copy {
      const Texture* from = nullptr;
      ImVec2 scale{1, 1};
      int frame_height = 0;
      PixelRect area;
    };
    Copy copy;  // for this frame's callback
    PicturePlace last_place;
    std::vector<ImTextureID> stale;  // textures whose pixels are new in this frame
    bool copied = false;             // the picture that is copied is new
  };
  std::unique_ptr<Pictures> pictures;
  std::unique_ptr<AudienceWindow> audience;  // null: none
  GameController* controller = nullptr;
  ScreenFn screen;  // instead of the match; empty: the match
  std::unique_ptr<FrameStore> store;
  std::unique_ptr<FrameStore> layer_store;  // the overlay is drawn here
  bool processor_draws = false;
  OverlayLayer over;
  std::uint64_t layer_id = 0;   // of what `over` holds; 0: nothing
  std::uint64_t last_over = 0;  // digest of the last picture's overlay
  bool exposed = true;          // the window system has lost the window's content
  Damage damage;
  InputQueue input;
  bool repeats = false;                // the next letter comes from a key that is held down
  ImVec2 pointer{-FLT_MAX, -FLT_MAX};  // as ImGui was last told
  std::array<bool, 3> buttons{};
  int awaited_frames = 0;  // since a text field was opened
  Preferences kept;
  Sound sound;
  Speech speech;
  std::size_t heard = 0;  // shots whose verdict has had its sound
  int film_shot = 0;      // the shot whose film is shown; 0: none
  Clock::time_point film_since;
  bool film_plays = false;

  ~Impl() {
    audience.reset();
    if (window != nullptr) {
      pictures.reset();
      store.reset();
      layer_store.reset();
      ImGui_ImplOpenGL3_Shutdown();
      ImGui_ImplGlfw_Shutdown();
      ImGui::DestroyContext();
      glfwDestroyWindow(window);
    }
    glfwTerminate();
  }

  // A text field gets the keyboard some frames after it was opened. If it never does (the player
  // clicked elsewhere), letters are keys again.
  KeyboardFocus Focus() {
    constexpr int kMostAwaited = 10;
    const bool typed = ImGui::GetIO().WantTextInput;
    awaited_frames = IsTyping(view) && !typed ? awaited_frames + 1 : 0;
    if (typed) return KeyboardFocus::kTyped;
    return awaited_frames > 0 && awaited_frames <= kMostAwaited ? KeyboardFocus::kAwaited
                                                                : KeyboardFocus::kNone;
  }

  // Begins a frame of ImGui with the events that it may see.
  void BeginFrame() {
    ImGuiIO& io = ImGui::GetIO();
    float wheel_x = 0;
    float wheel_y = 0;
    for (const InputEvent& event : input.Take(Focus())) {
      switch (event.what) {
        case InputEvent::What::kLetter:
          ImGui_ImplGlfw_CharCallback(window, event.letter);
          break;
        case InputEvent::What::kPress:
        case InputEvent::What::kRelease:
          ImGui_ImplGlfw_KeyCallback(
              window, event.key, event.scancode,
              event.what == InputEvent::What::kPress ? GLFW_PRESS : GLFW_RELEASE, event.mods);
          break;
        case InputEvent::What::kMove:
          pointer = {event.x, event.y};
          break;
        case InputEvent::What::kButtonDown:
        case InputEvent::What::kButtonUp:
          buttons.at(static_cast<std::size_t>(event.key)) =
              event.what == InputEvent::What::kButtonDown;
          break;
        case InputEvent::What::kWheel:
          wheel_x += event.x;
          wheel_y += event.y;
          break;
      }
    }
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    // Overrides the backend, which has just asked where the pointer is now.
    io.MousePos = pointer;
    std::copy(buttons.begin(), buttons.end(), io.MouseDown);
    io.MouseWheelH += wheel_x;
    io.MouseWheel += wheel_y;
    ImGui::NewFrame();
  }

  static Impl& Of(GLFWwindow* window) {
    return *static_cast<Impl*>(glfwGetWindowUserPointer(window));
  }
  void Moved(double to_x, double to_y) {
    input.Push({.what = InputEvent::What::kMove,
                .x = static_cast<float>(to_x),
                .y = static_cast<float>(to_y)});
  }

  // Events go to the queue, not to ImGui, so that a slow frame misses none.
  void TakeInput() {
    glfwSetWindowUserPointer(window, this);
    glfwSetWindowRefreshCallback(window, [](GLFWwindow* of) { Of(of).exposed = true; });
    glfwSetWindowContentScaleCallback(
        window, [](GLFWwindow* of, float, float) { Of(of).FollowScreen(); });
    glfwSetWindowPosCallback(window, [](GLFWwindow* of, int, int) { Of(of).FollowScreen(); });
    glfwSetKeyCallback(window, [](GLFWwindow* of, int key, int scancode, int action, int mods) {
      Of(of).repeats = action == GLFW_REPEAT;
      if (action == GLFW_REPEAT) return;  // ImGui repeats held keys itself
      Of(of).input.Push(
          {action == GLFW_PRESS ? InputEvent::What::kPress : InputEvent::What::kRelease, key,
           scancode, mods});
    });
    glfwSetCharCallback(window, [](GLFWwindow* of, unsigned letter) {
      Of(of).input.Push(
          {.what = InputEvent::What::kLetter, .letter = letter, .again = Of(of).repeats});
    });
    glfwSetCursorPosCallback(
        window, [](GLFWwindow* of, double to_x, double to_y) { Of(of).Moved(to_x, to_y); });
    glfwSetCursorEnterCallback(window, [](GLFWwindow* of, int entered) {
      double to_x = -FLT_MAX;
      double to_y = -FLT_MAX;
      if (entered == GLFW_TRUE) glfwGetCursorPos(of, &to_x, &to_y);
      Of(of).Moved(to_x, to_y);
    });
    glfwSetMouseButtonCallback(window, [](GLFWwindow* of, int button, int action, int mods) {
      if (button < 0 || button > GLFW_MOUSE_BUTTON_MIDDLE) return;
      Of(of).input.Push(
          {action == GLFW_PRESS ? InputEvent::What::kButtonDown : InputEvent::What::kButtonUp,
           button, 0, mods});
    });
    glfwSetScrollCallback(window, [](GLFWwindow* of, double to_x, double to_y) {
      Of(of).input.Push({.what = InputEvent::What::kWheel,
                         .x = static_cast<float>(to_x),
                         .y = static_cast<float>(to_y)});
    });
  }

  void SayNewVerdict(const Snapshot& shown) {
    if (shown.shots.size() > heard) {
      if (view.sound) sound.Play(CallOf(*shown.shots.back()).call);
      if (view.speech) {
        speech.Say(
            SpokenVerdict(*shown.shots.back(), PlayersNames(shown.facts->scenario)));
      }
    }
    heard = shown.shots.size();
    speech.Go();
  }

  Preferences Look() const {
    Preferences out = kept;
    out.light = view.light_theme;
    out.safe_colours = view.safe_colours;
    out.full_screen = view.full_screen;
    out.large_controls = view.large_controls;
    out.sound = view.sound;
    out.speech = view.speech;
    out.verdict = view.verdict_by_itself;
    out.dice = view.dice_by_itself;
    const ViewLook look = LookOf(view);
    out.layers = look.layers;
    out.panels = look.panels;
    if (view.may_audience) out.audience = look.audience;
    if (view.ui_scale != first_scale) out.ui_scale = static_cast<double>(view.ui_scale);
    return out;
  }
  void KeepLook() {
    if (ImGui::IsAnyMouseDown()) return;  // an edge that is dragged is not written at every step
    const Preferences now = Look();
    if (now == kept) return;
    kept = now;
    if (options.keep) options.keep(now);
  }

  void Restyle(bool fonts) {
    const float scale = view.ui_scale;
    ImFont* const body = theme.body;
    ImFont* const title = theme.title;
    ImFont* const huge = theme.huge;
    theme = MakeTheme(view.light_theme, view.safe_colours, scale, view.large_controls);
    theme.body = body;
    theme.title = title;
    theme.huge = huge;
    if (fonts) {
      ImGui_ImplOpenGL3_DestroyFontsTexture();
      LoadFonts(theme);
      ImGui_ImplOpenGL3_CreateFontsTexture();
    }
    ApplyStyle(theme);
  }

  // The window has come to a screen of another scale. Text that players have sized stays as it is.
  void FollowScreen() {
    const float scale = ScreenScale(window);
    if (scale == view.screen_scale) return;
    if (kept.ui_scale <= 0 && view.ui_scale == first_scale) view.ui_scale = first_scale = scale;
    view.screen_scale = scale;
    exposed = true;
  }

  // Whether the players have closed the window. Its cross asks first where something is unsaved.
  bool Closes() {
    if (view.quit) return true;
    if (glfwWindowShouldClose(window) == 0) return false;
    if (!view.unsaved) return true;
    glfwSetWindowShouldClose(window, GLFW_FALSE);
    view.close_asked = true;
    still_frames = 1;
    return false;
  }

  void FollowView() {
    if (theme.scale != view.ui_scale || theme.body == nullptr) {
      Restyle(/*fonts=*/true);
    } else if (theme.light != view.light_theme || theme.safe_colours != view.safe_colours ||
               theme.large_controls != view.large_controls) {
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

  // The film of the shot whose verdict fills the screen; nullptr: none.
  const ShotFilm* FilmShown(const Snapshot& shown, const ShotShown* shot) const {
    if (!view.verdict || shot == nullptr) return nullptr;
    for (const auto& film : shown.films)
      if (film->shot == shot->shot.shot.number && film->pictures.size() > 1) return film.get();
    return nullptr;
  }
  // Sends the picture of the film that is due. It begins when its verdict comes up, and stays at
  // its last picture after some rounds, so that an idle window rests.
  // True where one was sent.
  bool TakeFilm(const Snapshot& shown, const ShotShown* shot) {
    constexpr int kRounds = 8;
    const ShotFilm* film = FilmShown(shown, shot);
    if (film == nullptr) {
      film_shot = 0;
      film_plays = false;
      if (std::exchange(pictures->film_of, nullptr) != nullptr) pictures->film.Clear();
      return false;
    }
    if (film_shot != film->shot) {
      film_shot = film->shot;
      film_since = Clock::now();
    }
    const double played_s = std::chrono::duration<double>(Clock::now() - film_since).count();
    film_plays = played_s < kRounds * FilmLength_s(*film);
    const std::shared_ptr<const FilmPicture>& due =
        film_plays ? film->pictures[FilmPictureAt(*film, played_s)] : film->pictures.back();
    if (due == pictures->film_of) return false;
    pictures->film_of = due;
    const cv::Mat decoded = DecodedPicture(*due).bgr;
    if (decoded.empty()) return false;
    pictures->film.Upload(decoded.data, decoded.cols, decoded.rows, decoded.step);
    pictures->stale.push_back(pictures->film.Shown().texture);
    return true;
  }

  // At most one of the pictures beside the camera's is sent in a frame, so that none lasts long.
  void TakePictures(const Snapshot& shown) {
    if (!shown.frame.bgr.empty()) pictures->newest = shown.frame.bgr;
    const ShotShown* shot = ChosenShot(shown, view);
    cv::Mat place;
    const auto archived = view.verdict && shot != nullptr && shot->archived != nullptr
                              ? shot->archived->Get()
                              : nullptr;
    if (archived != nullptr)
      place = view.show_before ? archived->seen.pictures.before : archived->seen.pictures.after;
    if (place.data != pictures->around_of.data) {
      pictures->around_of = place;
      if (place.empty()) {
        pictures->around.Clear();
      } else {
        cv::Mat bgr;
        place.convertTo(bgr, CV_8UC3);
        pictures->around.Upload(bgr.data, bgr.cols, bgr.rows, bgr.step);
        pictures->stale.push_back(pictures->around.Shown().texture);
        return;
      }
    }
    if (TakeFilm(shown, shot)) return;
    const auto panels = shot != nullptr && shot->panels != nullptr ? shot->panels->Get() : nullptr;
    if (panels == pictures->panels) return;
    pictures->panels = panels;
    if (panels == nullptr || panels->before.empty()) {
      pictures->before.Clear();
      pictures->after.Clear();
      return;
    }
    const cv::Mat& before = panels->before;
    const cv::Mat& after = panels->after;
    pictures->before.Upload(before.data, before.cols, before.rows, before.step);
    pictures->after.Upload(after.data, after.cols, after.rows, after.step);
    pictures->stale.push_back(pictures->before.Shown().texture);
    pictures->stale.push_back(pictures->after.Shown().texture);
  }

  // Draws one frame. A screenshot is taken before the frame is shown: afterwards the buffer's
  // content is undefined.
  Status DrawFrame(const Snapshot& shown, DecisionSink& words, Photo photo = Photo::kNone) {
    const Clock::time_point start = Clock::now();
    FollowView();
    TakePictures(shown);
    BeginFrame();
    const ScreenPictures on_card{*pictures, pictures->before.Shown(), pictures->after.Shown(),
                                 pictures->around.Shown(), pictures->film.Shown()};
    if (screen) {
      screen(theme, shown, on_card, view);
    } else {
      DrawScreen(theme, shown, on_card, view, words, controller);
    }
    ImGui::Render();
    int wide = 0;
    int high = 0;
    glfwGetFramebufferSize(window, &wide, &high);
    exposed = exposed || photo != Photo::kNone;  // a picture needs a full buffer
    const bool news = wide > 0 && high > 0 && DrawChanges(wide, high);
    if (news) glFinish();
    frame_ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    if (news) new_ms.push_back(frame_ms.back());
    const Status photographed = Photograph(photo);
    if (news) glfwSwapBuffers(window);
    return photographed;
  }

  // Draws what changed into the store and shows the store. False when nothing changed.
  bool DrawChanges(int wide, int high) {
    ImDrawData& data = *ImGui::GetDrawData();
    // A window that is its own store has lost what was drawn when it grew or was uncovered.
    if (store->Begin(wide, high) || (exposed && store->IsWindow())) damage.Forget();
    const ScreenRect again = damage.Trim(data, pictures->stale, pictures->copied);
    if (again.Width() > 0) {
      const PixelRect part = PixelsOf(again, data.FramebufferScale);
      glViewport(0, 0, wide, high);
      const ImVec4 ground = ToVec4(theme.panel);
      const float rgb[3] = {ground.x, ground.y, ground.z};
      if (damage.PictureList() >= 0) PreparePicture(data, wide, high, rgb);
      // Clear to the panels' colour instead of painting it: without a graphics card every painted
      // pixel counts. The area that the picture is copied to needs no clearing.
      const PixelRect hole = damage.PictureList() >= 0 ? pictures->copy.area : PixelRect{};
      for (const PixelRect& strip : Around(part, hole)) {
        if (strip.width <= 0 || strip.height <= 0) continue;
        FrameStore::Clear(strip.x, strip.y, strip.width, strip.height, high, rgb);
      }
      ImGui_ImplOpenGL3_RenderDrawData(&data);
    }
    pictures->stale.clear();
    pictures->copied = false;
    if (!std::exchange(exposed, false) && !(again.Width() > 0)) return false;
    store->Show();
    return true;
  }

  // Sends the picture that this frame copies. An overlay that changed is drawn; one that is the
  // same as for the last picture is blended into the pixels before they are sent, and not drawn
  // again.
  void PreparePicture(ImDrawData& data, int wide, int high, const float ground[3]) {
    Pictures::Copy& copy = pictures->copy;
    copy.frame_height = high;
    ImDrawList& list = *data.CmdLists[damage.PictureList()];
    std::uint64_t digest = damage.PictureDigest();
    for (const int part : {copy.area.x, copy.area.y, copy.area.width, copy.area.height, wide, high})
      digest = digest * 31 + static_cast<std::uint64_t>(part) + 1;
    digest = std::max<std::uint64_t>(digest, 1);
    if (pictures->copied && digest != layer_id && digest == last_over) {
      over.Take(DrawnAlone(data, list, copy.area, wide, high), copy.area.width, copy.area.height);
      layer_id = digest;
    }
    if (pictures->copied) last_over = digest;
    const bool layered = digest == layer_id;
    pictures->frame.SendShrunk(copy.area, ground, over, layered ? layer_id : 0);
    if (!layered) return;
    for (ImDrawCmd& command : list.CmdBuffer) command.ElemCount = 0;
  }

  // The pixels of one list on a transparent ground, without the picture.
  std::vector<std::uint8_t> DrawnAlone(const ImDrawData& data, ImDrawList& list,
                                       const PixelRect& part, int wide, int high) {
    ImDrawData alone = data;
    ImDrawList* const lists[] = {&list};
    alone.CmdLists = const_cast<ImDrawList**>(lists);
    alone.CmdListsCount = 1;
    std::vector<ImDrawCallback> callbacks;
    for (ImDrawCmd& command : list.CmdBuffer)
      callbacks.push_back(std::exchange(command.UserCallback, nullptr));
    layer_store->Begin(wide, high);
    FrameStore::ClearToNothing();
    ImGui_ImplOpenGL3_RenderDrawData(&alone);
    std::vector<std::uint8_t> out = FrameStore::Read(part, high, processor_draws);
    for (std::size_t i = 0; i < callbacks.size(); ++i)
      list.CmdBuffer[static_cast<int>(i)].UserCallback = callbacks[i];
    store->Begin(wide, high);
    return out;
  }

  Status Photograph(Photo photo) const {
    if (photo == Photo::kNone) return Ok();
    int wide = 0;
    int high = 0;
    glfwGetFramebufferSize(window, &wide, &high);
    const cv::Mat pixels = PixelsOfWindow(wide, high).bgr;
    if (photo == Photo::kScreenshot) return WritePicture(pixels, options.screenshot);
    WriteKeepsake(pixels);
    return Ok();
  }

  // What was open over the table when the players left says nothing about their game.
  void CloseDialogs() {
    view.show_settings = false;
    view.show_help = false;
    view.game_panel.show_clause = false;
    view.game_panel.show_menu = false;
  }

  // A picture that cannot be kept costs nobody the game.
  void WriteKeepsake(const cv::Mat& pixels) const {
    const auto& [left, top, right, bottom] = view.keepsake;
    const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
    const cv::Rect part =
        cv::Rect(cv::Point(static_cast<int>(left * scale.x), static_cast<int>(top * scale.y)),
                 cv::Point(static_cast<int>(right * scale.x), static_cast<int>(bottom * scale.y))) &
        cv::Rect(0, 0, pixels.cols, pixels.rows);
    if (part.width < 16 || part.height < 16) return;
    constexpr int kWide_px = 320;
    cv::Mat small;
    cv::resize(pixels(part), small,
               {kWide_px, std::max(1, kWide_px * part.height / part.width)}, 0, 0, cv::INTER_AREA);
    (void)WritePicture(small, options.keepsake);
  }

  // Opens or closes the onlookers' window as the settings have it. errors  kUnsupported
  Status FollowAudience() {
    if (!view.audience) audience.reset();
    if (!view.audience || audience != nullptr) return Ok();
    // No larger than the players' window was made to fit its screen.
    int wide = 0;
    int high = 0;
    glfwGetWindowSize(window, &wide, &high);
    Result<std::unique_ptr<AudienceWindow>> second = AudienceWindow::Open(
        window, std::min(options.width, wide), std::min(options.height, high));
    if (!second.ok()) return second.error();
    audience = std::move(second).value();
    return Ok();
  }

  void DrawAudienceWindow(const Snapshot& shown) {
    if (audience != nullptr && audience->Closed()) view.audience = false;
    // What cannot be opened is not asked for again.
    if (!FollowAudience().ok()) view.audience = false;
    if (audience == nullptr) return;
    audience->Draw(theme, shown, view,
                   controller != nullptr ? controller->Now().get() : nullptr);
  }
};

Window::Window(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Window::~Window() = default;

std::vector<std::string> WindowLibraries() {
  int major = 0;
  int minor = 0;
  int revision = 0;
  glfwGetVersion(&major, &minor, &revision);
  return {fmt::format("Dear ImGui {}", ImGui::GetVersion()),
          fmt::format("GLFW {}.{}.{}", major, minor, revision)};
}

Result<GraphicsCard> AskGraphicsCard() {
  if (glfwInit() != GLFW_TRUE) return NoDisplay({}, LastGlfwError());
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 2);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  GLFWwindow* window = glfwCreateWindow(64, 64, "Fall of Shot", nullptr, nullptr);
  if (window == nullptr) {
    const std::string why = LastGlfwError();
    glfwTerminate();
    return NoDisplay({}, why);
  }
  glfwMakeContextCurrent(window);
  const auto text = [](GLenum name) {
    const GLubyte* words = glGetString(name);
    return words ? std::string(reinterpret_cast<const char*>(words)) : std::string("unknown");
  };
  GraphicsCard card{text(GL_RENDERER), text(GL_VERSION)};
  glfwDestroyWindow(window);
  glfwTerminate();
  return card;
}

Result<std::unique_ptr<Window>> Window::Open(const WindowOptions& options) {
  auto impl = std::make_unique<Impl>();
  if (glfwInit() != GLFW_TRUE) return NoDisplay(options.without_display, LastGlfwError());
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 2);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  GLFWwindow* window =
      glfwCreateWindow(options.width, options.height, "Fall of Shot", nullptr, nullptr);
  if (window == nullptr) return NoDisplay(options.without_display, LastGlfwError());
  // The desktop has made the window as much larger as it says, not as the rows ask for.
  const float scale = ScreenScale(window);
  SetSizeOnScreen(window, static_cast<int>(static_cast<float>(options.width) * scale),
                  static_cast<int>(static_cast<float>(options.height) * scale));
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
  impl->TakeInput();
  impl->pictures = std::make_unique<Impl::Pictures>();
  impl->processor_draws = ProcessorDraws();
  impl->pictures->frame.RowsFromTheTop(impl->processor_draws);
  impl->store = std::make_unique<FrameStore>(impl->processor_draws);
  impl->layer_store = std::make_unique<FrameStore>(false);
  ViewState& view = impl->view;
  const Preferences& look = options.look;
  view.screen_scale = ScreenScale(window);
  view.ui_scale = look.ui_scale > 0 ? static_cast<float>(look.ui_scale) : view.screen_scale;
  impl->first_scale = view.ui_scale;
  view.light_theme = look.light;
  view.safe_colours = look.safe_colours;
  view.full_screen = look.full_screen;
  view.large_controls = look.large_controls;
  view.sound = look.sound;
  view.speech = look.speech;
  view.may_speak = impl->speech.Installed();
  view.verdict_by_itself = look.verdict;
  view.dice_by_itself = look.dice;
  view.may_set_up = options.may_set_up;
  view.may_play = options.may_play;
  impl->kept = look;
  TakeLayers(look.layers, view);
  view.panels = look.panels;
  view.may_audience = options.may_audience;
  // Before the first frame, which is late enough. The backend makes the fonts' texture with the
  // rest, and would make a second one for fonts that are loaded earlier than that.
  impl->theme = MakeTheme(view.light_theme, view.safe_colours, view.ui_scale, view.large_controls);
  LoadFonts(impl->theme);
  ApplyStyle(impl->theme);
  ImGui_ImplOpenGL3_NewFrame();
  view.audience = options.may_audience && (options.audience || look.audience);
  const Status second = impl->FollowAudience();
  if (!second.ok() && options.audience) return second.error();
  return std::unique_ptr<Window>(new Window(std::move(impl)));
}

std::optional<std::size_t> Window::Choose(const std::vector<StartChoice>& lines,
                                          const std::string& notice) {
  Impl& impl = *impl_;
  std::vector<std::unique_ptr<Texture>> kept;
  std::vector<ShownPicture> pictures;
  for (const StartChoice& line : lines) {
    kept.push_back(std::make_unique<Texture>());
    const cv::Mat picture = SmallPicture(line.picture);
    if (!picture.empty())
      kept.back()->Upload(picture.data, picture.cols, picture.rows, picture.step);
    pictures.push_back(picture.empty() ? ShownPicture{} : kept.back()->Shown());
  }
  constexpr int kSettleFrames = 3;
  std::optional<std::size_t> chosen;
  while (glfwWindowShouldClose(impl.window) == 0 && !impl.view.quit && !chosen) {
    if (impl.still_frames > 0) {
      glfwPollEvents();
    } else {
      glfwWaitEvents();
      impl.still_frames = kSettleFrames;
    }
    impl.still_frames = impl.input.Empty() ? impl.still_frames - 1 : kSettleFrames;
    impl.FollowView();
    impl.BeginFrame();
    chosen = DrawStart(impl.theme, lines, impl.view, pictures, notice);
    ImGui::Render();
    int wide = 0;
    int high = 0;
    glfwGetFramebufferSize(impl.window, &wide, &high);
    if (wide > 0 && high > 0 && impl.DrawChanges(wide, high)) glfwSwapBuffers(impl.window);
  }
  return chosen;
}

void Window::Close() { impl_->view.quit = true; }

void Window::Wake() { glfwPostEmptyEvent(); }

Status Window::Run(const std::function<std::shared_ptr<const Snapshot>()>& now, DecisionSink& words,
                   GameController* controller) {
  Impl& impl = *impl_;
  impl.controller = controller;
  // ImGui needs a frame or two to settle after an input, and blinks a cursor while text is typed.
  constexpr int kSettleFrames = 3;
  constexpr double kIdle_s = 0.5;
  constexpr double kFilm_s = 1.0 / 16;  // between two pictures of a film, at its fastest
  std::shared_ptr<const Snapshot> drawn;
  int last_frames = 0;  // drawn since the recording ended
  while (!impl.Closes()) {
    if (impl.still_frames > 0) {
      glfwPollEvents();
    } else {
      glfwWaitEventsTimeout(impl.film_plays ? kFilm_s : kIdle_s);
    }
    const std::shared_ptr<const Snapshot> shown = now();
    // An event, a new picture or the timeout has woken the window.
    impl.still_frames =
        shown != drawn || !impl.input.Empty() ? kSettleFrames : std::max(impl.still_frames - 1, 0);
    drawn = shown;
    const Status status = impl.DrawFrame(*shown, words);
    if (!status.ok()) return status;
    impl.DrawAudienceWindow(*shown);
    impl.KeepLook();
    impl.SayNewVerdict(*shown);
    const bool over = shown->watching == Watching::kEnded || shown->watching == Watching::kFailed;
    if (!over || !impl.options.exit_at_end) continue;
    // Wait for the evidence of the last shot, for the screenshot.
    const ShotShown* shot = ChosenShot(*shown, impl.view);
    const bool drawing =
        shot != nullptr && shot->panels != nullptr && shot->panels->Get() == nullptr;
    impl.still_frames = kSettleFrames;
    if (!drawing && ++last_frames > kSettleFrames) break;
  }
  if (impl.options.screenshot.empty() && impl.options.keepsake.empty()) return Ok();
  const std::shared_ptr<const Snapshot> last = now();
  if (impl.audience != nullptr && !impl.options.screenshot.empty()) {
    std::filesystem::path file = impl.options.screenshot;
    file.replace_filename(file.stem().string() + "_audience" + file.extension().string());
    const Status written = impl.audience->Photograph(
        impl.theme, *last, impl.view, controller != nullptr ? controller->Now().get() : nullptr,
        file);
    if (!written.ok()) return written;
  }
  if (!impl.options.screenshot.empty()) {
    const Status written = impl.DrawFrame(*last, words, Photo::kScreenshot);
    if (!written.ok()) return written;
  }
  if (impl.options.keepsake.empty()) return Ok();
  impl.CloseDialogs();
  return impl.DrawFrame(*last, words, Photo::kKeepsake);
}

Status Window::Show(const std::function<std::shared_ptr<const Snapshot>()>& now,
                    const ScreenFn& draw) {
  // This screen posts no answers.
  struct Nobody : DecisionSink {
    void Post(PlayerDecision) override {}
  } nobody;
  impl_->screen = draw;
  Status ended = Run(now, nobody);
  impl_->screen = nullptr;
  return ended;
}

bool Window::WantsSetup() const { return impl_->view.set_up; }
bool Window::WantsPlay() const { return impl_->view.play; }

WindowTimes Window::Times() const {
  const auto at = [](const std::vector<double>& all, double share) {
    return Quantile(all, share).value_or(0);
  };
  const std::vector<double>& all = impl_->frame_ms;
  const std::vector<double>& news = impl_->new_ms;
  return {all.size(), at(all, 0.5), at(all, 0.99), news.size(), at(news, 0.5), at(news, 0.99)};
}

}  // namespace fos
