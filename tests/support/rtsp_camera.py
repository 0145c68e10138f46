# SPDX-License-Identifier: MIT
# A phone's camera as it is over RTSP: one picture again and again, as H.264, on 127.0.0.1.
#   rtsp_camera.py PICTURE PORT    0: any free port. Prints its port once it listens.
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402

Gst.init(None)
for needed in ("pngdec", "imagefreeze", "x264enc", "rtph264pay"):
    if Gst.ElementFactory.find(needed) is None:
        sys.exit(f"GStreamer has no {needed}")
if len(sys.argv) < 3:  # asked whether everything is there
    sys.exit(0)
server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service(sys.argv[2])
factory = GstRtspServer.RTSPMediaFactory()
factory.set_launch(
    f'( filesrc location="{sys.argv[1]}" ! pngdec ! imagefreeze is-live=true ! '
    "video/x-raw,framerate=15/1 ! videoconvert ! video/x-raw,format=I420 ! "
    "x264enc tune=zerolatency speed-preset=ultrafast bitrate=8000 key-int-max=15 ! "
    "rtph264pay name=pay0 pt=96 config-interval=1 )"
)
factory.set_shared(True)
server.get_mount_points().add_factory("/camera", factory)
if server.attach(None) == 0:
    sys.exit("cannot listen")
print(server.get_bound_port(), flush=True)
GLib.MainLoop().run()
