// Registers → columns, many rows at a time: see jit_vector.hpp.
#include "runtime/jit/jit_vector.hpp"

#include <limits>

namespace assay::jit {

using namespace asmjit;

// Packs the low bytes of each word.
void BlockWriter::store_words(const x86::Mem& to, const Vec& v, std::size_t size) {
  if (size == 4) {
    emit(avx512_ ? Id::kIdVmovdqu32 : Id::kIdVmovdqu, to, v);
    return;
  }
  if (avx512_) {
    emit(size == 2 ? Id::kIdVpmovdw : Id::kIdVpmovdb, to, v);
    return;
  }
  std::int8_t order[32];
  for (std::size_t k = 0; k < 32; ++k) {
    const std::size_t at = k % 16;
    order[k] = at < 4 * size ? static_cast<std::int8_t>(at / size * 4 + at % size) : std::int8_t{-128};
  }
  const std::size_t bytes = size * width();
  if (!integers_) {  // everything fits one register of 16 bytes
    x86::Xmm packed = cc.newXmm();
    emit(Id::kIdVpshufb, packed, v, full(order, 16));
    if (bytes == 2) emit(Id::kIdVpextrw, to, packed, imm(0));
    else emit(bytes == 4 ? Id::kIdVmovd : Id::kIdVmovq, to, packed);
    return;
  }
  x86::Ymm packed = cc.newYmm();
  x86::Xmm upper = cc.newXmm(), joined_up = cc.newXmm();
  emit(Id::kIdVpshufb, packed, v, full(order, 32));
  cc.vextracti128(upper, packed, 1);
  if (size == 2) {
    cc.vpunpcklqdq(joined_up, packed.half(), upper);
    cc.vmovdqu(to, joined_up);
  } else {
    cc.vpunpckldq(joined_up, packed.half(), upper);
    cc.vmovq(to, joined_up);
  }
}

void BlockWriter::store(std::size_t result) {
  const ResultStore& s = stores_[result];
  const bool may_miss = s.given != kNoReg;
  if (s.type == ColumnType::f64 || s.type == ColumnType::f32) {
    const auto finish = [&](Vec v) {
      if (s.unit != 1) v = divided(v, s.unit);
      return !integers_ && kernel_.bounds[s.reg].low <= 0 ? op(Id::kIdVaddpd, v, doubles(0)) : v;  // avoids -0
    };
    const auto put = [&](const Vec& v, std::int32_t part) {
      const std::size_t size = size_of(s.type);
      const std::int32_t bytes = static_cast<std::int32_t>(doubles_in_vector() * size);
      const x86::Mem to = at(layout_.store(result), size).cloneAdjusted(part * bytes);
      if (s.type == ColumnType::f64) {
        emit(Id::kIdVmovupd, to, v);
      } else {
        Vec narrow = half();
        emit(Id::kIdVcvtpd2ps, narrow, v);
        emit(Id::kIdVmovups, to, narrow);
      }
    };
    if (!integers_) {
      Vec v = finish(number(s.reg));
      if (may_miss) v = chosen(mask(s.given), v, loaded(doubles(std::numeric_limits<double>::quiet_NaN())));
      return put(v, 0);
    }
    const Vec n = number(s.reg);
    Mask given;
    if (may_miss) given = mask(s.given);
    for (std::int32_t part = 0; part < 2; ++part) {
      Vec v = vec();
      emit(Id::kIdVcvtdq2pd, v, part_of(n, part));
      v = finish(v);
      if (may_miss) {
        Vec missing = vec(), kept = vec();
        const x86::Mem nan = doubles(std::numeric_limits<double>::quiet_NaN());
        if (avx512_) {
          x86::KReg bits = cc.newKw();
          if (part == 0) emit(Id::kIdKmovw, bits, given.reg);
          else emit(Id::kIdKshiftrw, bits, given.reg, imm(8));
          emit(Id::kIdVbroadcastsd, missing, plain(nan, 8));
          cc.k(bits);
          emit(Id::kIdVblendmpd, kept, missing, v);
        } else {
          Vec wide = vec();
          emit(Id::kIdVpmovsxdq, wide, part_of(given.reg.as<Vec>(), part));
          emit(Id::kIdVmovupd, missing, nan);
          emit(Id::kIdVblendvpd, kept, missing, v, wide);
        }
        v = kept;
      }
      put(v, part);
    }
    return;
  }
  Vec v = number(s.reg);
  if (s.map != nullptr) v = picked(v, std::vector<std::int64_t>(s.map, s.map + s.map_size));
  else if (s.factor != 1) v = times(v, s.factor, magnitude(s.reg));
  if (may_miss) v = chosen(mask(s.given), v, loaded(constant(s.missing)));
  const x86::Mem to = at(layout_.store(result), size_of(s.type));
  if (s.type == ColumnType::i64) {
    if (!integers_) {
      std::int64_t bits = 0;
      std::memcpy(&bits, &kMagic, sizeof bits);
      const std::int64_t four[4] = {bits, bits, bits, bits};
      const x86::Mem magic = avx512_ ? full(four, sizeof bits)._1to8() : full(four, sizeof bits * doubles_in_vector());
      const Vec longs = op(Id::kIdVpsubq, op(Id::kIdVaddpd, v, doubles(kMagic)), magic);
      emit(Id::kIdVmovupd, to, longs);
      return;
    }
    for (std::int32_t part = 0; part < 2; ++part) {
      Vec longs = vec();
      emit(Id::kIdVpmovsxdq, longs, part_of(v, part));
      emit(Id::kIdVmovupd, to.cloneAdjusted(part * static_cast<std::int32_t>(8 * doubles_in_vector())), longs);
    }
    return;
  }
  Vec in_words = v;
  if (!integers_) {
    in_words = half();
    emit(s.type == ColumnType::u32 && avx512_ ? Id::kIdVcvttpd2udq : Id::kIdVcvttpd2dq, in_words, v);
  }
  store_words(to, in_words, size_of(s.type));
}

}  // namespace assay::jit
