// SPDX-License-Identifier: MIT
#include "calibration/registration/rig_profile.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/files/table_file.h"
#include "engine/files/toml_number.h"
#include "engine/files/toml_reader.h"
#include "engine/files/whole_file.h"

namespace fos {
namespace {

constexpr int kFormat = 1;
constexpr TomlRange kAny{-1e9, 1e9};
// From a postage stamp to beyond any camera on sale.
constexpr TomlRange kSide_px{16, 20000};

std::string List(const std::vector<double>& numbers) {
  std::vector<std::string> words;
  for (const double number : numbers) words.push_back(TomlNumber(number));
  return fmt::format("[{}]", fmt::join(words, ", "));
}
std::string List(const cv::Vec3d& v) { return List(std::vector<double>{v[0], v[1], v[2]}); }

// The upper triangle of a covariance, row by row.
std::vector<double> Triangle(const LensMat& covariance) {
  std::vector<double> out;
  for (int i = 0; i < 9; ++i) {
    for (int j = i; j < 9; ++j) out.push_back(covariance(i, j));
  }
  return out;
}

CameraModel ReadLens(TomlTable& in) {
  CameraModel lens;
  lens.width_px = in.Integer("width", kSide_px);
  lens.height_px = in.Integer("height", kSide_px);
  const int kind = in.Choice("lens", "lens", {"brown_conrady", "fisheye"});
  lens.lens = kind == 1 ? CameraModel::Lens::kFisheye : CameraModel::Lens::kBrownConrady;
  const std::vector<double> focal = in.Numbers("focal", 2, 2, kAny);
  const std::vector<double> centre = in.Numbers("centre", 2, 2, kAny);
  const std::vector<double> distortion = in.Numbers("distortion", 5, 5, kAny);
  lens.fx_px = focal[0];
  lens.fy_px = focal[1];
  lens.cx_px = centre[0];
  lens.cy_px = centre[1];
  std::copy(distortion.begin(), distortion.end(), lens.distortion.begin());
  lens.rms_px = in.Number("rms_px", {0, 1e6}, 0);
  if (in.Has("covariance")) {
    const std::vector<double> triangle = in.Numbers("covariance", 45, 45, {-1e12, 1e12});
    LensMat covariance = LensMat::zeros();
    std::size_t k = 0;
    for (int i = 0; i < 9; ++i) {
      for (int j = i; j < 9; ++j) covariance(i, j) = covariance(j, i) = triangle[k++];
    }
    lens.covariance = covariance;
  }
  in.NoOtherKeys();
  return lens;
}

std::string Hex(Colour c) { return fmt::format("\"#{:02x}{:02x}{:02x}\"", c.r, c.g, c.b); }

std::string ProjectileText(const LearntProjectile& one) {
  const auto line = [](const char* key, double number) {
    return fmt::format("{} = {}\n", key, TomlNumber(number));
  };
  const bool swab = one.type == Projectile::kQtip;
  std::string out = fmt::format("\n[[projectiles]]\ntype = \"{}\"\nsamples = {}\n",
                                ProjectileName(one.type), one.samples);
  if (swab) {
    out += line("length", one.length_in) + line("length_sigma", one.length_sigma_in) +
           line("cotton_length", one.cotton_length_in) +
           line("cotton_thickness", one.cotton_thickness_in) + line("dip", one.dip_in);
    return out + fmt::format("stick = {}\ntip_paint = {}\n", Hex(one.stick), Hex(one.tip_paint));
  }
  out += line("size", one.size_in) + line("size_sigma", one.size_sigma_in);
  return out + fmt::format("body = {}\nmark = {}\n", Hex(one.body), Hex(one.mark));
}

LearntProjectile ReadProjectile(TomlTable& in) {
  LearntProjectile one;
  one.type =
      in.Choice("type", "type", {"qtip", "shell"}) == 0 ? Projectile::kQtip : Projectile::kShell;
  one.samples = in.Integer("samples", {1, 1000});
  if (one.type == Projectile::kQtip) {
    one.length_in = in.Number("length", {0.5, 24});
    one.length_sigma_in = in.Number("length_sigma", {0.001, 1});
    one.cotton_length_in = in.Number("cotton_length", {0.05, 5});
    one.cotton_thickness_in = in.Number("cotton_thickness", {0.02, 2});
    one.dip_in = in.Number("dip", {0.01, 5});
    one.stick = in.Paint("stick");
    one.tip_paint = in.Paint("tip_paint");
  } else {
    one.size_in = in.Number("size", {0.05, 5});
    one.size_sigma_in = in.Number("size_sigma", {0.0001, 1});
    one.body = in.Paint("body");
    one.mark = in.Paint("mark");
  }
  in.NoOtherKeys();
  return one;
}

std::string RigText(const RigProfile& rig) {
  const CameraModel& lens = rig.lens;
  std::string out = "# A rig of Fall of Shot: made by `fallofshot calibrate table --rig`.\n";
  out += fmt::format("[rig]\nformat = {}\nmade = {}\nprogram = {}\n\n", kFormat,
                     TomlString(rig.made), TomlString(rig.program));
  out += fmt::format(
      "[camera]\nwidth = {}\nheight = {}\nlens = \"{}\"\nfocal = {}\ncentre = {}\n"
      "distortion = {}\nrms_px = {}\n",
      lens.width_px, lens.height_px,
      lens.lens == CameraModel::Lens::kFisheye ? "fisheye" : "brown_conrady",
      List(std::vector<double>{lens.fx_px, lens.fy_px}),
      List(std::vector<double>{lens.cx_px, lens.cy_px}),
      List({lens.distortion.begin(), lens.distortion.end()}), TomlNumber(lens.rms_px));
  if (lens.covariance) {
    out += fmt::format("covariance = {}\n", List(Triangle(*lens.covariance)));
  }
  out += '\n' + TableText(rig.table);
  if (rig.height) {
    out += fmt::format("\n[height]\ninches = {}\nsigma = {}\n", TomlNumber(rig.height->inches),
                       TomlNumber(rig.height->sigma_in));
  }
  if (rig.pose) {
    out += fmt::format("\n[pose]\nrvec = {}\ntvec = {}\nworst_sigma = {}\n", List(rig.pose->rvec),
                       List(rig.pose->tvec), TomlNumber(rig.pose->worst_sigma_in));
  }
  for (const auto& [side, paint] : rig.paints) {
    out += fmt::format("\n[[paint]]\nside = {}\nseen = \"#{:02x}{:02x}{:02x}\"\n", TomlString(side),
                       paint.r, paint.g, paint.b);
  }
  for (const LearntProjectile& one : rig.projectiles) out += ProjectileText(one);
  return out;
}

// name  of the file, for messages.
Result<RigProfile> RigFrom(Result<TomlFile> file, const std::string& name) {
  if (!file.ok()) return file.error();
  TomlTable root = file->Root();
  RigProfile rig;
  if (auto about = root.Table("rig")) {
    const int format = about->Integer("format", {1, 1000});
    if (format > kFormat) {
      about->Refuse("format", ErrorCode::kUnsupported,
                    fmt::format("`format` of [rig] is {}, this program knows {}; make the rig anew "
                                "with `fallofshot calibrate table --rig`",
                                format, kFormat));
    }
    rig.made = about->Text("made");
    rig.program = about->Text("program");
    about->NoOtherKeys();
  }
  if (auto camera = root.Table("camera")) rig.lens = ReadLens(*camera);
  rig.table = ReadTableSections(root);
  if (root.Has("height")) {
    if (auto height = root.Table("height")) {
      rig.height = TapedHeight{height->Number("inches", {1, 1000}),
                               height->Number("sigma", {0.001, 100}, TapedHeight().sigma_in)};
      height->NoOtherKeys();
    }
  }
  if (root.Has("pose")) {
    if (auto in = root.Table("pose")) {
      const std::vector<double> rvec = in->Numbers("rvec", 3, 3, {-10, 10});
      const std::vector<double> tvec = in->Numbers("tvec", 3, 3, {-1e4, 1e4});
      rig.pose = RigProfile::Pose{{rvec[0], rvec[1], rvec[2]},
                                  {tvec[0], tvec[1], tvec[2]},
                                  in->Number("worst_sigma", {0, 1e3}, 0)};
      in->NoOtherKeys();
    }
  }
  for (TomlTable& paint : root.Tables("paint")) {
    const std::string side = paint.Text("side");
    rig.paints[side] = paint.Paint("seen");
    paint.NoOtherKeys();
  }
  for (TomlTable& one : root.Tables("projectiles")) rig.projectiles.push_back(ReadProjectile(one));
  root.NoOtherKeys();
  if (const Status problem = file->Problem(); !problem.ok()) return problem.error();
  if (const Status lens = CheckCamera(rig.lens); !lens.ok()) {
    return Error{lens.error().code,
                 fmt::format("{}: [camera]: {}; make the rig anew with `fallofshot calibrate table "
                             "--rig`",
                             name, lens.error().message)};
  }
  return rig;
}

}  // namespace

Status WriteRig(const RigProfile& rig, const std::filesystem::path& path) {
  const std::string text = RigText(rig);
  const std::string name = path.string();
  if (const auto read = RigFrom(TomlFile::Parse(text, name), name); !read.ok()) {
    return Error{read.error().code,
                 "not written, it could not be read again: " + read.error().message};
  }
  return WriteWholeFile(path, text);
}

Result<RigProfile> ReadRig(const std::filesystem::path& path) {
  return RigFrom(TomlFile::Read(path), path.string());
}

}  // namespace fos
