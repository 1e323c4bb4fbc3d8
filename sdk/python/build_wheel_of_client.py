"""Builds the wheel with nothing but Python: it is a zip of the package. A backend of PEP 517, so
that `pip install .` and `pip wheel .` need no other project. Alone: `python3 build_wheel_of_client.py FOLDER`."""

import base64
import hashlib
import pathlib
import sys
import tarfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
NAME, VERSION = "superstep_client", "0.1.0"
INFO = f"{NAME}-{VERSION}.dist-info"
TIME = (1980, 1, 1, 0, 0, 0)  # The same sources make the same wheel.


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = {
        f"superstep/{it.name}": it.read_bytes()
        for it in sorted((HERE / "superstep").iterdir())
        if it.suffix == ".py" or it.name == "py.typed"
    }
    files[f"{INFO}/METADATA"] = _metadata().encode()
    files[f"{INFO}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: superstep\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    record = "".join(f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{INFO}/RECORD"] = f"{record}{INFO}/RECORD,,\n".encode()
    wheel = f"{NAME}-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    root = f"{NAME}-{VERSION}"
    with tarfile.open(pathlib.Path(sdist_directory) / f"{root}.tar.gz", "w:gz") as archive:
        for name in ("pyproject.toml", "build_wheel_of_client.py", "README.md"):
            archive.add(HERE / name, f"{root}/{name}")
        for it in sorted((HERE / "superstep").glob("*.py")):
            archive.add(it, f"{root}/superstep/{it.name}")
        archive.add(HERE / "superstep/py.typed", f"{root}/superstep/py.typed")
    return f"{root}.tar.gz"


def _metadata():
    return (
        f"Metadata-Version: 2.1\nName: superstep-client\nVersion: {VERSION}\n"
        "Summary: Client of Superstep, which runs graphs of language-model agents durably on PostgreSQL\n"
        "License: Apache-2.0\nRequires-Python: >=3.10\n"
        "Description-Content-Type: text/markdown\n\n" + (HERE / "README.md").read_text("utf-8")
    )


def _digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    print(build_wheel(sys.argv[1]))
