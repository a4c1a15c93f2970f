"""Writes control blocks, apart from the TypeScript that does it for the agent: the two check each other."""
import os
import struct
import time

SIZE = 4096
BODY = 16
MASK = (1 << 64) - 1


def _body(fields):
    words = struct.pack(
        "<QqqIiiIQQQIIQQ",
        fields["generation"],
        fields["armed_at_ms"],
        fields["expires_at_ms"],
        fields["xid"],
        fields["in_flight"],
        fields["on_init"],
        1 if fields["sticky"] else 0,
        fields["mask"],
        fields["after_calls"],
        0,
        0xFFFFFFFF,
        0,
        fields["latency_ns"],
        0,
    )
    total = 0xCBF29CE484222325
    for (word,) in struct.iter_unpack("<Q", words):
        total = ((total ^ word) * 0x100000001B3) & MASK
    return words + struct.pack("<Q", total)


class Control:
    """One block. Made disarmed."""

    def __init__(self, path):
        self.path = path
        self.generation = 0
        blank = {"generation": 0, "armed_at_ms": 0, "expires_at_ms": 0, "xid": 0, "in_flight": 0, "on_init": 0}
        blank.update(sticky=False, mask=0, after_calls=0, latency_ns=0)
        content = bytearray(SIZE)
        content[0:16] = b"TSCF" + struct.pack("<III", 1, 0, 0)
        body = _body(blank)
        content[BODY : BODY + len(body)] = body
        with open(path + ".new", "wb") as file:
            file.write(content)
        os.rename(path + ".new", path)

    def arm(self, xid, in_flight, on_init, sticky=True, gpus=None, after_calls=0, latency_ns=0, for_s=120):
        now_ms = int(time.time() * 1000)
        self.generation = max(self.generation + 1, now_ms)
        mask = MASK if gpus is None else sum(1 << gpu for gpu in gpus)
        body = _body(
            {
                "generation": self.generation,
                "armed_at_ms": now_ms,
                "expires_at_ms": now_ms + int(for_s * 1000),
                "xid": xid,
                "in_flight": in_flight,
                "on_init": on_init,
                "sticky": sticky,
                "mask": mask,
                "after_calls": after_calls,
                "latency_ns": latency_ns,
            }
        )
        self._write(12, struct.pack("<I", 0))
        self._write(BODY, body)
        self._write(12, struct.pack("<I", 1))

    def disarm(self):
        self._write(12, struct.pack("<I", 0))

    def _write(self, offset, content):
        file = os.open(self.path, os.O_WRONLY)
        try:
            os.pwrite(file, content, offset)
        finally:
            os.close(file)
