"""Tests of the rules of Shanghaien. The law they speak for is numbered S1 … S12."""
