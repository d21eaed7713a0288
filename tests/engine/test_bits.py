from __future__ import annotations

from cardrome.engine.bits import count_bits, kth_bit, lowest_bit


def test_bits_of_every_mask() -> None:
    for mask in range(1, 1 << 14):
        bits = [bit for bit in range(14) if mask >> bit & 1]
        assert count_bits(mask) == len(bits)
        assert lowest_bit(mask) == bits[0]
        assert [kth_bit(mask, k) for k in range(len(bits))] == bits
    assert count_bits(0) == 0
