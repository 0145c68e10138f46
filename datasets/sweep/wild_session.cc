// SPDX-License-Identifier: MIT
#include "datasets/sweep/wild_session.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "datasets/render/srgb.h"
#include "datasets/render/wild_d12.h"
#include "datasets/render/wild_hand.h"

namespace fos {

namespace {

PipelineOptions TracedBy(OnJudged on_judged) {
  PipelineOptions options;
  options.shots.on_judged = std::move(on_judged);
  return options;
}

// Its players throw dice of so many faces too.
WildTable WithDice(WildTable table, int faces) {
  if (faces != table.scenario.dice.front()) table.scenario.dice.push_back(faces);
  return table;
}

}  // namespace

WildSession::WildSession(std::uint32_t seed, bool unseen, OnJudged on_judged, int faces)
    : unseen_(unseen),
      faces_(faces),
      made_(WithDice(MakeWildTable(seed), faces)),
      draws_(seed * 31U + 17U),
      pipeline_(made_.table, made_.scenario, made_.lens, made_.fps,
                TracedBy(std::move(on_judged))),
      layers_(Rendered(made_.camera, made_.scene, Whole())),
      camera_(OpticsOf(), seed) {
  for (const WildSolid& s : made_.scene.solids) figures_ = std::max(figures_, s.group + 1);
  next_group_ = figures_;
}

int WildSession::SettleFrames() const {
  return std::max(3, static_cast<int>(std::lround(0.2 * made_.fps)));
}

Status WildSession::Start() {
  constexpr double kToStart_s = 0.8;
  return Watch(static_cast<int>(kToStart_s * made_.fps));
}

WildOptics WildSession::OpticsOf() {
  WildOptics o =
      DrawOptics(LightAt(layers_, made_.scene, made_.moment), made_.light == "dim", draws_);
  o.axis_px = {made_.camera.lens.cx_px, made_.camera.lens.cy_px};
  // The whole picture's corner is 16:9's at the lens's angle of view.
  constexpr double kCornerOfFocal = 0.6;
  o.corner_px = kCornerOfFocal * made_.camera.lens.fx_px;
  return o;
}

Status WildSession::Watch(int frames) {
  for (int i = 0; i < frames; ++i, ++frame_) {
    if (made_.moment.edge && made_.edge_creeps_in != 0) {
      made_.moment.edge->at_in += made_.edge_creeps_in;
      focused_.release();
    }
    if (shade_moves_ > 0) {
      --shade_moves_;
      made_.moment.shade->from = made_.moment.shade->from + shade_step_;
      made_.moment.shade->to = made_.moment.shade->to + shade_step_;
      focused_.release();
    }
    if (focused_.empty()) focused_ = camera_.Focused(LightAt(layers_, made_.scene, made_.moment));
    Frame frame;
    frame.time_s = static_cast<double>(frame_) / made_.fps;
    frame.bgr = last_ = camera_.Next(focused_, frame.time_s);
    frame.id = {frame_};
    const Result<std::vector<Sighting>> seen = pipeline_.Observe(frame);
    if (!seen.ok()) return seen.error();
    for (const Sighting& sighting : *seen) {
      if (const auto* shot = std::get_if<ShotSeen>(&sighting.what)) seen_.push_back(*shot);
      const auto* object = std::get_if<ObjectSeen>(&sighting.what);
      if (object && !object->gone) objects_.push_back(*object);
      if (const auto* dice = std::get_if<DiceSeen>(&sighting.what)) dice_seen_.push_back(*dice);
    }
  }
  return Ok();
}

// Renders anew what some solids change.
void WildSession::Rerender(std::span<const WildSolid> changed) {
  const cv::Rect part = PartChanged(made_, changed);
  if (part.empty()) return;
  const LightLayers fresh = Rendered(made_.camera, made_.scene, part);
  for (std::size_t i = 0; i < layers_.lamps.size(); ++i)
    fresh.lamps[i].copyTo(layers_.lamps[i](part));
  fresh.sky.copyTo(layers_.sky(part));
  fresh.at.copyTo(layers_.at(part));
  focused_.release();
}

void WildSession::Lay(WildThing& thing) {
  for (WildSolid& s : thing.solids) s.group = next_group_;
  ++next_group_;
  made_.scene.solids.insert(made_.scene.solids.end(), thing.solids.begin(), thing.solids.end());
  Rerender(thing.solids);
  lying_.push_back(thing);
}

// An arm comes in from the nearest side, stays for a moment and leaves.
Status WildSession::Reach(Vec2 place, const std::function<void()>& under_it) {
  const WildArm arm = DrawArm(draws_);
  const double side = made_.table.frame.Width();
  const bool from_south = place.y < side / 2;
  const double lean = draws_.Uniform(-0.6, 0.6);
  const Vec2 way = Normalized({lean, from_south ? 1.0 : -1.0});
  constexpr double kLong_in = 16;
  constexpr double kGrip_in = 0.4;
  std::vector<WildSolid> before;
  for (const double back : {9.0, 4.0, 0.0, 0.0, 4.0, 10.0}) {
    const std::vector<WildSolid> now =
        ArmOver(arm, place - back * way, kGrip_in + 0.1 * back, way, kLong_in);
    if (back == 0) under_it();
    const std::vector<WildSolid> still = made_.scene.solids;
    made_.scene.solids.insert(made_.scene.solids.end(), now.begin(), now.end());
    std::vector<WildSolid> changed = now;
    changed.insert(changed.end(), before.begin(), before.end());
    Rerender(changed);
    made_.scene.solids = still;
    before = now;
    if (const Status watched = Watch(1); !watched.ok()) return watched;
  }
  Rerender(before);
  return Ok();
}

// An arm that hovers, or takes away what lies there.
Status WildSession::UseHand(WildStep& step) {
  const double side = made_.table.frame.Width();
  if (lying_.empty() || draws_.Happens(0.4)) {
    step.classes.emplace_back("event: hand hovers");
    return Reach({draws_.Uniform(1, side - 1), draws_.Uniform(1, side - 1)}, [] {});
  }
  const auto which = lying_.begin() + draws_.Below(static_cast<int>(lying_.size()));
  const WildThing taken = *which;
  step.classes.push_back(
      fmt::format("event: {} picked up", taken.shot ? taken.what.c_str() : "junk"));
  step.taken = taken.point;
  lying_.erase(which);
  return Reach(taken.point, [&] {
    std::erase_if(made_.scene.solids,
                  [&](const WildSolid& s) { return s.group == taken.solids.front().group; });
    Rerender(taken.solids);
  });
}

std::string WildSession::NudgeFigure() {
  const int group = draws_.Below(figures_);
  const double turn = draws_.Uniform(0, 6.28);
  const double by = draws_.Uniform(0.04, 0.2);
  std::vector<WildSolid> changed;
  for (WildSolid& s : made_.scene.solids) {
    if (s.group != group) continue;
    changed.push_back(s);
    s = Moved(s, {by * std::cos(turn), by * std::sin(turn), 0});
    changed.push_back(s);
  }
  Rerender(changed);
  return "event: figure nudged";
}

// Someone leans in and stays, or leaves.
std::string WildSession::CastShadow() {
  if (made_.moment.shade) {
    made_.moment.shade.reset();
    shade_moves_ = 0;
    return "event: shadow leaves";
  }
  const double side = made_.table.frame.Width();
  Shade shade;
  shade.from = {draws_.Uniform(0, side), draws_.Uniform(0, side)};
  shade.to = shade.from + Vec2{draws_.Uniform(-4, 4), draws_.Uniform(-4, 4)};
  shade.radius_in = draws_.LogUniform(0.1, 3);
  shade.soft_in = draws_.LogUniform(0.1, 1.5);
  shade.left = draws_.Uniform(0.35, 0.85);
  made_.moment.shade = shade;
  constexpr int kMoves = 6;
  shade_moves_ = kMoves;
  shade_step_ = {draws_.Uniform(-0.5, 0.5), draws_.Uniform(-0.5, 0.5)};
  return "event: shadow stays";
}

// Something without a shot or a thing: returns what.
std::string WildSession::Disturb() {
  focused_.release();
  switch (draws_.Below(made_.moment.edge ? 4 : 3)) {
    case 0:
      if (figures_ > 0) return NudgeFigure();
      return CastShadow();
    case 1:
      return CastShadow();
    case 2:
      made_.moment.lamp_gains.assign(made_.scene.lamps.size(), 1);
      made_.moment.lamp_gains[0] = draws_.LogUniform(0.55, 1.6);
      return "event: light changes";
    default:
      made_.moment.edge->at_in += draws_.Uniform(-0.5, 0.5);
      return "event: sun steps";
  }
}

Result<std::optional<WildStep>> WildSession::Step() {
  seen_.clear();
  objects_.clear();
  WildStep out;
  out.before = last_;
  const double what = draws_.Uniform(0, 1);
  constexpr double kShots = 0.5;
  constexpr double kJunk = 0.8;
  constexpr double kHands = 0.3;  // of the rest
  WildThing& thing = out.truth;
  out.classes = {"ground: " + made_.scene.ground.look, "light: " + made_.light,
                 std::string("camera: ") + camera_.optics().CoderName(),
                 fmt::format("pixels an inch: {:.0f}",
                             std::round(PixelsPerInch(made_.camera, {6, 6}, 0) / 8) * 8)};
  if (what < kShots) {
    thing =
        DropWildShot(made_, draws_.Happens(0.6) ? Projectile::kQtip : Projectile::kShell, draws_);
  } else if (what < kJunk) {
    thing = DropWildJunk(made_, draws_.OneOf(JunkClasses(unseen_)), draws_);
  } else if (draws_.Happens(kHands)) {
    if (const Status used = UseHand(out); !used.ok()) return used.error();
  } else {
    out.classes.push_back(Disturb());
  }
  if (what < kJunk) {
    if (thing.what.empty()) return std::optional<WildStep>();
    out.classes.insert(out.classes.end(), thing.looks.begin(), thing.looks.end());
    Lay(thing);
  }
  // Players wait no longer than this for a verdict.
  constexpr double kPatience_s = 2;
  const int least = 2 * SettleFrames() + 6;
  const int most = static_cast<int>(kPatience_s * made_.fps);
  for (int i = 0; i < most && (i < least || (thing.shot && seen_.empty())); ++i) {
    if (const Status watched = Watch(1); !watched.ok()) return watched.error();
  }
  out.seen = seen_;
  out.objects = objects_;
  out.after = last_;
  return std::optional<WildStep>(std::move(out));
}

// The grey levels of the upper face as the sensor has them before noise and coding.
bool WildSession::ValueShows(const WildDie& die, double side_in) const {
  const WildOptics& optics = camera_.optics();
  std::array<double, 3> low{255, 255, 255};
  std::array<double, 3> high{};
  // Of the side: inside any corner, about the outer pips; of twelve faces about the number.
  const double kOnFace = die.faces == 6 ? 0.4 : 0.24;
  constexpr int kSteps = 8;
  for (int i = -kSteps; i <= kSteps; ++i) {
    for (int j = -kSteps; j <= kSteps; ++j) {
      const Vec2 off = (kOnFace * side_in / kSteps) * Vec2{i * 1.0, j * 1.0};
      if (Norm(off) > kOnFace * side_in) continue;
      const ImagePoint at = ImageFromTable(made_.camera, die.centre + off, die.top_in);
      const cv::Point pixel(static_cast<int>(std::lround(at.x_px)),
                            static_cast<int>(std::lround(at.y_px)));
      if (!Whole().contains(pixel)) continue;
      const cv::Vec3f light = focused_.at<cv::Vec3f>(pixel);
      for (std::size_t c = 0; c < 3; ++c) {
        const double level =
            optics.exposure * optics.white[c] * double{light[static_cast<int>(c)]};
        const double code = 255 * SrgbOfLight(std::clamp(level, 0.0, 1.0));
        low[c] = std::min(low[c], code);
        high[c] = std::max(high[c], code);
      }
    }
  }
  constexpr double kShows = 50;
  return std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]}) > kShows;
}

// Dice that came to rest somewhere; none where no place was found.
WildThrow WildSession::Toss() {
  WildThrow out;
  std::function<std::vector<WildDie>(Vec2)> about;
  if (faces_ == 6) {
    const DieKind kind = DrawDieKind(draws_);
    out.side_in = kind.side_in;
    const int count = 1 + draws_.Below(5);
    constexpr double kCocked = 0.15;  // of the throws
    const bool cocked = draws_.Happens(kCocked);
    about = [this, kind, count, cocked](Vec2 at) {
      return ThrowDice(kind, made_.scene, at, count, cocked, draws_);
    };
  } else {
    const D12Kind kind = DrawD12Kind(draws_);
    out.side_in = kind.size_in;
    const int count = 1 + draws_.Below(4);
    about = [this, kind, count](Vec2 at) {
      return ThrowD12(kind, made_.scene, at, count, draws_);
    };
  }
  const double side = made_.table.frame.Width();
  constexpr int kTries = 20;
  for (int i = 0; i < kTries && out.dice.empty(); ++i) {
    constexpr double kMargin_in = 1.5;
    const Vec2 at{draws_.Uniform(kMargin_in, side - kMargin_in),
                  draws_.Uniform(kMargin_in, side - kMargin_in)};
    out.dice = about(at);
    std::erase_if(out.dice, [&](const WildDie& die) {
      return die.centre.x < 0.5 || die.centre.y < 0.5 || die.centre.x > side - 0.5 ||
             die.centre.y > side - 0.5;
    });
  }
  return out;
}

Result<std::optional<WildThrow>> WildSession::Throw() {
  seen_.clear();
  dice_seen_.clear();
  WildThrow out = Toss();
  if (out.dice.empty()) return std::optional<WildThrow>();
  WildThing thing;
  thing.what = "dice";
  thing.point = out.dice.front().centre;
  for (const WildDie& die : out.dice) thing.solids.push_back(die.solid);
  Lay(thing);
  constexpr double kPatience_s = 2;
  const int most = static_cast<int>(kPatience_s * made_.fps);
  for (int i = 0; i < most && dice_seen_.empty(); ++i) {
    if (const Status watched = Watch(1); !watched.ok()) return watched.error();
  }
  for (const WildDie& die : out.dice) out.shows.push_back(ValueShows(die, out.side_in));
  out.seen = dice_seen_;
  out.shots = seen_;
  out.after = last_;
  return std::optional<WildThrow>(std::move(out));
}

}  // namespace fos
