#!/usr/bin/env python3
"""Makes the pictures in this folder with Pillow, ImageMagick and the vips command; see README.md. Not part of the tests."""

import subprocess
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw, PngImagePlugin

HERE = Path(__file__).resolve().parent


def scene(width=120, height=90):
    """Four corners of four colours, a ramp between, and a disc off the middle: no turn of it looks like another."""
    image = Image.new("RGB", (width, height))
    image.putdata([(60 + x * 120 // width, 60 + y * 120 // height, 110) for y in range(height) for x in range(width)])
    draw = ImageDraw.Draw(image)
    w, h = width // 3, height // 3
    draw.rectangle((0, 0, w - 1, h - 1), fill=(220, 40, 40))
    draw.rectangle((width - w, 0, width - 1, h - 1), fill=(40, 190, 60))
    draw.rectangle((0, height - h, w - 1, height - 1), fill=(40, 70, 220))
    draw.rectangle((width - w, height - h, width - 1, height - 1), fill=(240, 220, 60))
    draw.ellipse((width // 2 - 10, height // 2 - 18, width // 2 + 22, height // 2 + 14), fill=(245, 240, 235))
    return image


def exif(orientation=None, gps=False):
    data = Image.Exif()
    if orientation:
        data[0x0112] = orientation
    if gps:
        data[0x010F] = "GPSCAMERA"
        data[0x8825] = {1: "N", 2: (37.0, 33.0, 59.0), 3: "E", 4: (126.0, 58.0, 40.0)}
    return data


# What a viewer does for tag n; the stored picture is the scene turned the other way.
TURNS = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}

upright = scene()
upright.save(HERE / "upright.png", optimize=True)
for tag, turn in TURNS.items():
    stored = upright if turn is None else upright.transpose(turn)
    stored.save(HERE / f"orientation-{tag}.jpg", quality=95, subsampling=0, exif=exif(tag))
upright.transpose(TURNS[6]).save(HERE / "orientation-6.png", exif=exif(6), optimize=True)
upright.transpose(TURNS[6]).save(HERE / "orientation-6.webp", exif=exif(6).tobytes(), quality=95)
upright.transpose(TURNS[6]).save(HERE / "orientation-6.tiff", exif=exif(6), compression="tiff_lzw")

comment = PngImagePlugin.PngInfo()
comment.add_text("Comment", "GPSTEXT")
comment.add_itxt("XML:com.adobe.xmp", "<x:xmpmeta xmlns:x='adobe:ns:meta/'>GPSXMP</x:xmpmeta>")
upright.save(HERE / "gps.png", exif=exif(gps=True), pnginfo=comment, optimize=True)
xmp = b"<x:xmpmeta xmlns:x='adobe:ns:meta/'>GPSXMP</x:xmpmeta>"
upright.save(HERE / "gps.jpg", quality=90, exif=exif(3, gps=True), comment=b"GPSTEXT", xmp=xmp)
upright.save(HERE / "gps.webp", quality=90, exif=exif(gps=True).tobytes(), xmp=xmp)

# libvips carries a Display P3 profile.
with tempfile.TemporaryDirectory() as work:
    wide = f"{work}/wide.png"
    subprocess.run(["vips", "icc_transform", HERE / "upright.png", wide, "p3", "--input-profile", "srgb"], check=True)
    p3 = Image.open(wide).info["icc_profile"]
upright.save(HERE / "display-p3.jpg", quality=95, subsampling=0, icc_profile=p3)
upright.save(HERE / "display-p3.png", icc_profile=p3, optimize=True)
upright.save(HERE / "broken-profile.jpg", quality=95, subsampling=0, icc_profile=p3[:200] + b"\0" * 40)
upright.convert("L").save(HERE / "gray-wrong-profile.jpg", quality=95, icc_profile=p3)
upright.convert("CMYK").save(HERE / "cmyk.jpg", quality=95)
upright.save(HERE / "progressive.jpg", quality=90, progressive=True)
upright.convert("L").save(HERE / "gray.jpg", quality=90)
upright.convert("LA").save(HERE / "gray-alpha.png", optimize=True)
upright.convert("1").save(HERE / "one-bit.png", optimize=True)
subprocess.run(["convert", HERE / "upright.png", "-depth", "16", "-define", "png:bit-depth=16", HERE / "16-bit.png"], check=True)
subprocess.run(["convert", HERE / "upright.png", "-interlace", "PNG", HERE / "interlaced.png"], check=True)

clear = upright.convert("RGBA")
ImageDraw.Draw(clear).rectangle((0, 60, 39, 89), fill=(0, 0, 0, 0))
clear.save(HERE / "alpha.png", optimize=True)
palette = upright.quantize(16)
palette.putpixel((5, 85), 15)
ImageDraw.Draw(palette).rectangle((0, 60, 39, 89), fill=15)
palette.save(HERE / "palette-trns.png", transparency=15, optimize=True)

frames = []
for n, colour in enumerate([(220, 40, 40), (40, 190, 60), (40, 70, 220)]):
    frame = Image.new("RGB", (60, 40), colour)
    ImageDraw.Draw(frame).rectangle((n * 20, 0, n * 20 + 9, 39), fill=(250, 250, 250))
    frames.append(frame)
frames[0].save(HERE / "moving.gif", save_all=True, append_images=frames[1:], duration=[100, 200, 300], loop=3)
frames[0].save(HERE / "moving.webp", save_all=True, append_images=frames[1:], duration=[100, 200, 300], loop=3, quality=90)
upright.save(HERE / "still.avif", quality=90)
