#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the plots of docs/performance.md from what the benchmarks print. Needs Python 3 alone.

    build/tests/bench/frame_bench --benchmark_format=json > frames.json
    build/tests/bench/stands_bench --benchmark_format=json > stands.json
    tests/bench/plot.py --frames frames.json --stands stands.json --out docs/images

Each plot is an SVG file; a plot whose input is missing is not drawn.
"""
import argparse
import json
import math
import os
import sys

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 190, 40, 50
COLOURS = ["#1b6ca8", "#c8553d", "#3d8b5f", "#8a5fa8", "#b58900", "#444444", "#d33682", "#2aa198",
           "#7f5539", "#6c757d", "#9c6644", "#5a189a"]


def label(value):
    return f"{value:g}"


def ticks(low, high, logarithmic):
    if logarithmic:
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
        return [m * 10.0**e for e in range(first, last + 1) for m in (1, 2, 5)
                if low <= m * 10.0**e <= high]
    step = 10.0 ** math.floor(math.log10(max(high - low, 1e-9)))
    while (high - low) / step < 4:
        step /= 2
    return [low + i * step for i in range(int((high - low) / step) + 1)]


class Plot:
    def __init__(self, title, x_label, y_label, logarithmic):
        self.title, self.x_label, self.y_label = title, x_label, y_label
        self.logarithmic = logarithmic
        self.series = []  # name, points

    def add(self, name, points):
        if points:
            self.series.append((name, sorted(points)))

    def write(self, path):
        xs = [x for _, points in self.series for x, _ in points]
        ys = [y for _, points in self.series for _, y in points]
        if self.logarithmic:
            low_x, high_x = min(xs) / 1.2, max(xs) * 1.2
            low_y, high_y = min(ys) / 1.5, max(ys) * 1.5
        else:
            low_x, high_x = 0.0, max(xs) * 1.05 or 1.0
            low_y, high_y = 0.0, max(ys) * 1.1 or 1.0
        scale = math.log10 if self.logarithmic else (lambda value: value)

        def to_x(x):
            share = (scale(x) - scale(low_x)) / (scale(high_x) - scale(low_x))
            return LEFT + share * (WIDTH - LEFT - RIGHT)

        def to_y(y):
            share = (scale(y) - scale(low_y)) / (scale(high_y) - scale(low_y))
            return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

        out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
               f'font-family="DejaVu Sans, sans-serif" font-size="12">',
               f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
               f'<text x="{LEFT}" y="22" font-size="14">{self.title}</text>']
        for x in ticks(low_x, high_x, self.logarithmic):
            out.append(f'<line x1="{to_x(x):.1f}" y1="{TOP}" x2="{to_x(x):.1f}" '
                       f'y2="{HEIGHT - BOTTOM}" stroke="#ddd"/>')
            out.append(f'<text x="{to_x(x):.1f}" y="{HEIGHT - BOTTOM + 16}" '
                       f'text-anchor="middle">{label(x)}</text>')
        for y in ticks(low_y, high_y, self.logarithmic):
            out.append(f'<line x1="{LEFT}" y1="{to_y(y):.1f}" x2="{WIDTH - RIGHT}" '
                       f'y2="{to_y(y):.1f}" stroke="#ddd"/>')
            out.append(f'<text x="{LEFT - 6}" y="{to_y(y) + 4:.1f}" '
                       f'text-anchor="end">{label(y)}</text>')
        out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" '
                   f'text-anchor="middle">{self.x_label}</text>')
        out.append(f'<text transform="translate(16 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" '
                   f'text-anchor="middle">{self.y_label}</text>')
        for i, (name, points) in enumerate(self.series):
            colour = COLOURS[i % len(COLOURS)]
            line = " ".join(f"{to_x(x):.1f},{to_y(y):.1f}" for x, y in points)
            out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" '
                       f'stroke-width="2"/>')
            for x, y in points:
                out.append(f'<circle cx="{to_x(x):.1f}" cy="{to_y(y):.1f}" r="3.5" '
                           f'fill="{colour}"/>')
            out.append(f'<rect x="{WIDTH - RIGHT + 14}" y="{TOP + 20 * i}" width="10" height="10" '
                       f'fill="{colour}"/>')
            out.append(f'<text x="{WIDTH - RIGHT + 30}" y="{TOP + 20 * i + 10}">{name}</text>')
        out.append("</svg>")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(out) + "\n")
        print(path)


def benchmarks(path):
    """Name, arguments and entry of each benchmark that was not refused."""
    with open(path, encoding="utf-8") as file:
        entries = json.load(file)["benchmarks"]
    for entry in entries:
        if entry.get("error_occurred") or entry.get("run_type") == "aggregate":
            continue
        parts = entry["name"].split("/")
        arguments = {part.split(":")[0]: int(part.split(":")[1]) for part in parts if ":" in part}
        name = " ".join(part for part in parts
                        if ":" not in part and part not in ("process_time", "real_time"))
        yield name, arguments, entry


# The benchmarks' names as the plots have them.
NAMES = {
    "Decoding MJPEG": "decoding, MJPEG",
    "Decoding H264": "decoding, H.264",
    "TheQuietGate": "quiet gate",
    "Tracking": "tracking",
    "Light quiet": "light",
    "Light busy": "light, a hand",
    "Change quiet": "change",
    "Change busy": "change, a hand",
    "Shots": "a shot",
    "AllStages": "all stages",
    "Baseline": "colour table",
}


def cpu_ms_of_a_picture(entry):
    """Of all threads."""
    unit_s = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[entry["time_unit"]]
    # Pictures of one iteration, from what a second of wall time brought.
    pictures = max(1, round(entry["items_per_second"] * entry["real_time"] * unit_s))
    return 1e3 * entry["cpu_time"] * unit_s / pictures


def draw_frames(path, out):
    sizes = Plot("Processor time of one picture", "megapixels", "milliseconds", logarithmic=True)
    shots = Plot("Processor time of one picture, 1920 x 1080", "shots a minute", "milliseconds",
                 logarithmic=False)
    series = {}
    by_shots = []
    for name, arguments, entry in benchmarks(path):
        if "height" not in arguments:
            continue
        height = arguments["height"]
        milliseconds = cpu_ms_of_a_picture(entry)
        name = NAMES.get(name, name)
        if "shots" in arguments:
            if height == 1080:
                by_shots.append((arguments["shots"], milliseconds))
            if arguments["shots"] not in (0, 30):
                continue
            name += ", quiet" if arguments["shots"] == 0 else ", 30 shots"
        megapixels = height * (height * 16 // 9) / 1e6
        series.setdefault(name, []).append((megapixels, milliseconds))
    for name, points in series.items():
        sizes.add(name, points)
    sizes.write(os.path.join(out, "performance_pictures.svg"))
    if by_shots:
        shots.add("all stages", by_shots)
        shots.write(os.path.join(out, "performance_shots.svg"))


def draw_stands(path, out):
    plot = Plot("Finding all stands, processor time", "stands", "milliseconds", logarithmic=False)
    plot.add("at the start", [(entry["stands"], entry["cpu_time"])
                              for name, arguments, entry in benchmarks(path)
                              if name == "StandsAtTheStart" and "units" in arguments])
    plot.write(os.path.join(out, "performance_stands.svg"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--frames", help="JSON of frame_bench")
    parser.add_argument("--stands", help="JSON of stands_bench")
    parser.add_argument("--out", required=True, help="a folder")
    options = parser.parse_args()
    if not (options.frames or options.stands):
        parser.error("give --frames or --stands")
    if options.frames:
        draw_frames(options.frames, options.out)
    if options.stands:
        draw_stands(options.stands, options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
