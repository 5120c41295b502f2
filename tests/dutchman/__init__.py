"""Tests of the rules of Der fliegende Holländer. The law they speak for is numbered H1 … H14."""
