// Vectors without AVX: instructions of two operands in place of those of three. See native_block.hpp.
#include "runtime/jit/native_block.hpp"

#include <algorithm>
#include <iterator>

namespace assay::native {

using namespace asmjit;

namespace {

struct Legacy {
  InstId avx, sse;
  bool two_operands;  // the result takes the place of the first operand
};

constexpr Legacy kLegacy[] = {
    {Id::kIdVaddpd, Id::kIdAddpd, true},
    {Id::kIdVsubpd, Id::kIdSubpd, true},
    {Id::kIdVmulpd, Id::kIdMulpd, true},
    {Id::kIdVdivpd, Id::kIdDivpd, true},
    {Id::kIdVminpd, Id::kIdMinpd, true},
    {Id::kIdVmaxpd, Id::kIdMaxpd, true},
    {Id::kIdVcmppd, Id::kIdCmppd, true},
    {Id::kIdVandpd, Id::kIdAndpd, true},
    {Id::kIdVandnpd, Id::kIdAndnpd, true},
    {Id::kIdVorpd, Id::kIdOrpd, true},
    {Id::kIdVxorpd, Id::kIdXorpd, true},
    {Id::kIdVandps, Id::kIdAndps, true},
    {Id::kIdVandnps, Id::kIdAndnps, true},
    {Id::kIdVorps, Id::kIdOrps, true},
    {Id::kIdVxorps, Id::kIdXorps, true},
    {Id::kIdVshufps, Id::kIdShufps, true},

    {Id::kIdVpaddw, Id::kIdPaddw, true},
    {Id::kIdVpaddd, Id::kIdPaddd, true},
    {Id::kIdVpaddq, Id::kIdPaddq, true},
    {Id::kIdVpsubw, Id::kIdPsubw, true},
    {Id::kIdVpsubd, Id::kIdPsubd, true},
    {Id::kIdVpsubq, Id::kIdPsubq, true},
    {Id::kIdVpmulld, Id::kIdPmulld, true},
    {Id::kIdVpmuludq, Id::kIdPmuludq, true},
    {Id::kIdVpmaddwd, Id::kIdPmaddwd, true},
    {Id::kIdVpminud, Id::kIdPminud, true},
    {Id::kIdVpminsd, Id::kIdPminsd, true},
    {Id::kIdVpmaxsd, Id::kIdPmaxsd, true},
    {Id::kIdVpand, Id::kIdPand, true},
    {Id::kIdVpor, Id::kIdPor, true},
    {Id::kIdVpxor, Id::kIdPxor, true},
    {Id::kIdVpcmpeqd, Id::kIdPcmpeqd, true},
    {Id::kIdVpcmpeqq, Id::kIdPcmpeqq, true},
    {Id::kIdVpcmpgtw, Id::kIdPcmpgtw, true},
    {Id::kIdVpcmpgtd, Id::kIdPcmpgtd, true},
    {Id::kIdVpcmpgtq, Id::kIdPcmpgtq, true},
    {Id::kIdVpshufb, Id::kIdPshufb, true},
    {Id::kIdVpsadbw, Id::kIdPsadbw, true},
    {Id::kIdVpmaxud, Id::kIdPmaxud, true},
    {Id::kIdVpslld, Id::kIdPslld, true},
    {Id::kIdVpsrld, Id::kIdPsrld, true},
    {Id::kIdVpsrad, Id::kIdPsrad, true},
    {Id::kIdVpsllq, Id::kIdPsllq, true},
    {Id::kIdVpsrlq, Id::kIdPsrlq, true},
    {Id::kIdVmovapd, Id::kIdMovaps, false},
    {Id::kIdVmovupd, Id::kIdMovups, false},
    {Id::kIdVmovdqu, Id::kIdMovups, false},
    {Id::kIdVmovq, Id::kIdMovq, false},
    {Id::kIdVmovd, Id::kIdMovd, false},
    {Id::kIdVpshufd, Id::kIdPshufd, false},
    {Id::kIdVroundpd, Id::kIdRoundpd, false},
    {Id::kIdVcvtdq2pd, Id::kIdCvtdq2pd, false},

    {Id::kIdVcvttpd2dq, Id::kIdCvttpd2dq, false},
    {Id::kIdVcvtpd2ps, Id::kIdCvtpd2ps, false},
    {Id::kIdVpmovsxbd, Id::kIdPmovsxbd, false},
    {Id::kIdVpmovzxbd, Id::kIdPmovzxbd, false},
    {Id::kIdVpmovsxwd, Id::kIdPmovsxwd, false},
    {Id::kIdVpmovzxwd, Id::kIdPmovzxwd, false},
    {Id::kIdVpmovsxdq, Id::kIdPmovsxdq, false},
    {Id::kIdVpextrw, Id::kIdPextrw, false},
    {Id::kIdVmovmskpd, Id::kIdMovmskpd, false},
    {Id::kIdVmovmskps, Id::kIdMovmskps, false},
};

}  // namespace

void BlockWriter::emit_legacy(InstId id, const Operand* operands, std::size_t count) {
  const Operand& to = operands[0];
  if (id == Id::kIdVfmadd231pd) {  // rounded twice: what relies on more does not come here (divided())
    emit(Id::kIdVaddpd, to, to, op(Id::kIdVmulpd, operands[1].as<Vec>(), operands[2]));
  } else if (id == Id::kIdVblendvpd || id == Id::kIdVblendvps) {
    cc.emit(Id::kIdMovaps, to, operands[1]);
    cc.emit(id == Id::kIdVblendvpd ? Id::kIdBlendvpd : Id::kIdBlendvps, to, operands[2], operands[3]);
  } else {
    const Legacy* const found =
        std::find_if(std::begin(kLegacy), std::end(kLegacy), [&](const Legacy& l) { return l.avx == id; });
    if (found == std::end(kLegacy)) return cc.emitOpArray(id, operands, count), void();  // refused, or right everywhere
    if (!found->two_operands) return cc.emitOpArray(found->sse, operands, count), void();
    const bool in_place = to == operands[1];
    const bool second_is_result = !in_place && count > 2 && to == operands[2];
    const Operand work = second_is_result ? Operand(vec()) : to;
    if (!in_place) cc.emit(Id::kIdMovaps, work, operands[1]);
    Operand rest[3] = {work};
    std::copy(operands + 2, operands + count, rest + 1);
    cc.emitOpArray(found->sse, rest, count - 1);
    if (second_is_result) cc.emit(Id::kIdMovaps, to, work);
  }
}

// There is no instruction for it: entry by entry, of doubles or words that begin at `first`.
BlockWriter::Vec BlockWriter::gathered(const x86::Gp& first, const Vec& index) {
  x86::Xmm r = cc.newXmm();
  for (std::uint32_t k = 0; k < width(); ++k) {
    x86::Gp at = cc.newUIntPtr();
    if (k == 0) cc.movd(at.r32(), index.as<x86::Xmm>());
    else cc.pextrd(at.r32(), index.as<x86::Xmm>(), imm(k));
    const x86::Mem entry = x86::ptr(first, at, integers_ ? 2 : 3);
    if (integers_ && k == 0) cc.movd(r, entry);
    else if (integers_) cc.pinsrd(r, entry, imm(k));
    else if (k == 0) cc.movsd(r, entry);
    else cc.movhpd(r, entry);
  }
  return r;
}

}  // namespace assay::native
