"""What the CUDA driver says of the device, and how fast it copies. Standard library only.

    python3 driver.py BYTES

prints both as JSON, so that a driver that hangs or crashes ends nothing else.
"""

import ctypes
import json
import os
import sys

NAMES = ("libcuda.so.1", "libcuda.so")


class DriverError(Exception):
    """The driver is missing, or a call of it failed."""


class Driver:
    """Device 0, by the driver that TPRT_CUDA or the loader finds."""

    def __init__(self):
        names = [os.environ["TPRT_CUDA"]] if os.environ.get("TPRT_CUDA") else NAMES
        problems = []
        self._library = None
        for name in names:
            try:
                self._library = ctypes.CDLL(name)
                break
            except OSError as error:
                problems.append(str(error))
        if self._library is None:
            raise DriverError("; ".join(problems))
        self._call("cuInit", ctypes.c_uint(0))
        self._device = ctypes.c_int()
        self._call("cuDeviceGet", ctypes.byref(self._device), ctypes.c_int(0))

    def _call(self, name, *arguments):
        try:
            result = getattr(self._library, name)(*arguments)
        except AttributeError as error:
            raise DriverError(f"the driver is too old: {error}") from error
        if result:
            text = ctypes.c_char_p()
            self._library.cuGetErrorString(result, ctypes.byref(text))
            raise DriverError(f"{name}: {(text.value or b'').decode()} ({result})")

    def describe(self):
        """Name and capability of device 0, how many there are, version of the driver."""
        version, count, value = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
        name = ctypes.create_string_buffer(256)

        def attribute(number):
            self._call(
                "cuDeviceGetAttribute", ctypes.byref(value), ctypes.c_int(number), self._device
            )
            return value.value

        self._call("cuDriverGetVersion", ctypes.byref(version))
        self._call("cuDeviceGetCount", ctypes.byref(count))
        self._call("cuDeviceGetName", name, ctypes.c_int(256), self._device)
        described = {
            "name": name.value.decode(),
            "count": count.value,
            "capability": f"{attribute(75)}.{attribute(76)}",
            "driver": f"{version.value // 1000}.{version.value % 1000 // 10}",
        }
        try:
            described["multiprocessors"] = attribute(16)
            described["clock_hz"] = attribute(13) * 1000
        except DriverError:
            pass  # what depends on it is not predicted
        return described

    def copy_bandwidth(self, size, runs=5):
        """Bytes per second, read and written, of copies of `size` bytes in the device's memory.

        The fastest of `runs`, between events.
        """
        context = ctypes.c_void_p()
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self._device)
        try:
            self._call("cuCtxSetCurrent", context)
            buffers = [ctypes.c_uint64() for _ in range(2)]
            events = [ctypes.c_void_p() for _ in range(2)]
            stream = ctypes.c_void_p()
            self._call("cuStreamCreate", ctypes.byref(stream), ctypes.c_uint(1))
            for event in events:
                self._call("cuEventCreate", ctypes.byref(event), ctypes.c_uint(0))
            for buffer in buffers:
                self._call("cuMemAlloc_v2", ctypes.byref(buffer), ctypes.c_size_t(size))
                self._call(
                    "cuMemsetD8Async", buffer, ctypes.c_ubyte(0), ctypes.c_size_t(size), stream
                )
            seconds = []
            for _ in range(runs):
                self._call("cuEventRecord", events[0], stream)
                self._call(
                    "cuMemcpyDtoDAsync_v2", buffers[1], buffers[0], ctypes.c_size_t(size), stream
                )
                self._call("cuEventRecord", events[1], stream)
                self._call("cuStreamSynchronize", stream)
                milliseconds = ctypes.c_float()
                self._call("cuEventElapsedTime_v2", ctypes.byref(milliseconds), *events)
                seconds.append(milliseconds.value / 1e3)
            for buffer in buffers:
                self._call("cuMemFree_v2", buffer)
            for event in events:
                self._call("cuEventDestroy_v2", event)
            self._call("cuStreamDestroy_v2", stream)
        finally:
            self._library.cuDevicePrimaryCtxRelease_v2(self._device)
        return 2 * size / max(min(seconds), 1e-9)


def main(size):
    try:
        driver = Driver()
        print(json.dumps({"device": driver.describe()}), flush=True)
        print(json.dumps({"copy_bytes_per_s": driver.copy_bandwidth(size)}))
    except DriverError as error:
        print(json.dumps({"problem": str(error)}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
