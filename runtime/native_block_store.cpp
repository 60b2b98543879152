// Lanes → columns, many rows at a time: see native_block.hpp.
#include "runtime/native_block.hpp"

#include <limits>

namespace assay::native {

using namespace asmjit;

// The low bytes of each word, side by side.
void BlockWriter::store_words(const x86::Mem& to, const Vec& v, std::size_t size) {
  if (size == 4) {
    cc.emit(avx512_ ? Id::kIdVmovdqu32 : Id::kIdVmovdqu, to, v);
    return;
  }
  if (avx512_) {
    cc.emit(size == 2 ? Id::kIdVpmovdw : Id::kIdVpmovdb, to, v);
    return;
  }
  std::int8_t order[32];
  for (std::size_t k = 0; k < 32; ++k) {
    const std::size_t at = k % 16;
    order[k] = at < 4 * size ? static_cast<std::int8_t>(at / size * 4 + at % size) : std::int8_t{-128};
  }
  if (!integers_) {  // four words
    x86::Xmm packed = cc.newXmm();
    cc.emit(Id::kIdVpshufb, packed, v, full(order, 16));
    if (size == 2) cc.vmovq(to, packed);
    else cc.vmovd(to, packed);
    return;
  }
  x86::Ymm packed = cc.newYmm();
  x86::Xmm upper = cc.newXmm(), joined = cc.newXmm();
  cc.emit(Id::kIdVpshufb, packed, v, full(order, 32));
  cc.vextracti128(upper, packed, 1);
  if (size == 2) {
    cc.vpunpcklqdq(joined, packed.half(), upper);
    cc.vmovdqu(to, joined);
  } else {
    cc.vpunpckldq(joined, packed.half(), upper);
    cc.vmovq(to, joined);
  }
}

void BlockWriter::store(std::size_t result) {
  const ResultStore& s = stores_[result];
  const bool may_miss = s.given != kNoLane;
  if (s.type == ColumnType::f64 || s.type == ColumnType::f32) {
    const UnitParts parts(s.unit);
    const auto finish = [&](Vec v) {
      const Vec n = v;
      if (s.unit != 1) {
        v = op(Id::kIdVmulpd, n, doubles(parts.low));
        cc.emit(Id::kIdVfmadd231pd, v, n, doubles(parts.high));
      }
      return !integers_ && kernel_.bounds[s.lane].low <= 0 ? op(Id::kIdVaddpd, v, doubles(0)) : v;  // no -0
    };
    const auto put = [&](const Vec& v, std::int32_t part) {
      const std::size_t size = size_of(s.type);
      const std::int32_t bytes = static_cast<std::int32_t>((avx512_ ? 8 : 4) * size);
      const x86::Mem to = at(layout_.store(result), size).cloneAdjusted(part * bytes);
      if (s.type == ColumnType::f64) {
        cc.emit(Id::kIdVmovupd, to, v);
      } else {
        Vec narrow = half();
        cc.emit(Id::kIdVcvtpd2ps, narrow, v);
        cc.emit(Id::kIdVmovups, to, narrow);
      }
    };
    if (!integers_) {
      Vec v = finish(number(s.lane));
      if (may_miss) v = chosen(mask(s.given), v, loaded(doubles(std::numeric_limits<double>::quiet_NaN())));
      return put(v, 0);
    }
    const Vec n = number(s.lane);
    Mask given;
    if (may_miss) given = mask(s.given);
    for (std::int32_t part = 0; part < 2; ++part) {
      Vec words_of = half(), v = vec();
      cc.emit(avx512_ ? Id::kIdVextracti64x4 : Id::kIdVextracti128, words_of, n, imm(part));
      cc.emit(Id::kIdVcvtdq2pd, v, words_of);
      v = finish(v);
      if (may_miss) {
        Vec missing = vec(), kept = vec();
        const x86::Mem nan = doubles(std::numeric_limits<double>::quiet_NaN());
        if (avx512_) {
          x86::KReg bits = cc.newKw();
          if (part == 0) cc.emit(Id::kIdKmovw, bits, given.reg);
          else cc.emit(Id::kIdKshiftrw, bits, given.reg, imm(8));
          cc.emit(Id::kIdVbroadcastsd, missing, plain(nan, 8));
          cc.k(bits);
          cc.emit(Id::kIdVblendmpd, kept, missing, v);
        } else {
          Vec wide = vec();
          x86::Xmm bits = cc.newXmm();
          cc.vextracti128(bits, given.reg.as<x86::Ymm>(), part);
          cc.emit(Id::kIdVpmovsxdq, wide, bits);
          cc.emit(Id::kIdVmovupd, missing, nan);
          cc.emit(Id::kIdVblendvpd, kept, missing, v, wide);
        }
        v = kept;
      }
      put(v, part);
    }
    return;
  }
  Vec v = number(s.lane);
  if (s.map != nullptr) v = picked(v, std::vector<std::int64_t>(s.map, s.map + s.map_size));
  else if (s.factor != 1) v = op(either(Id::kIdVmulpd, Id::kIdVpmulld), v, constant(s.factor));
  if (may_miss) v = chosen(mask(s.given), v, loaded(constant(s.missing)));
  const x86::Mem to = at(layout_.store(result), size_of(s.type));
  if (s.type == ColumnType::i64) {
    if (!integers_) {
      std::int64_t bits = 0;
      std::memcpy(&bits, &kMagic, sizeof bits);
      const std::int64_t four[4] = {bits, bits, bits, bits};
      const x86::Mem magic = avx512_ ? full(four, sizeof bits)._1to8() : full(four, sizeof four);
      const Vec longs = op(Id::kIdVpsubq, op(Id::kIdVaddpd, v, doubles(kMagic)), magic);
      cc.emit(Id::kIdVmovupd, to, longs);
      return;
    }
    for (std::int32_t part = 0; part < 2; ++part) {
      Vec words_of = half(), longs = vec();
      cc.emit(avx512_ ? Id::kIdVextracti64x4 : Id::kIdVextracti128, words_of, v, imm(part));
      cc.emit(Id::kIdVpmovsxdq, longs, words_of);
      cc.emit(Id::kIdVmovupd, to.cloneAdjusted(part * (avx512_ ? 64 : 32)), longs);
    }
    return;
  }
  Vec in_words = v;
  if (!integers_) {
    in_words = half();
    cc.emit(s.type == ColumnType::u32 && avx512_ ? Id::kIdVcvttpd2udq : Id::kIdVcvttpd2dq, in_words, v);
  }
  store_words(to, in_words, size_of(s.type));
}

}  // namespace assay::native
