// The frame of a page. See page.hpp. After a change of the style or the script, update their hashes:
// tests/report/page.py prints them.
#include "repl/pages/page.hpp"

#include <assay/assay.hpp>

namespace assay::cli {

namespace {

constexpr std::string_view kStyle = R"(
:root{color-scheme:light dark;--b:#fff;--f:#1b1f24;--s:#57606a;--l:#d0d7de;--g:#dfe4ea;--h:#f6f8fa;--t:#0a5ea8;--p:#1a7f37;--m:#b42318}
@media(prefers-color-scheme:dark){:root{--b:#0f1318;--f:#e6edf3;--s:#9aa4af;--l:#323a44;--g:#2a323c;--h:#171c23;--t:#6cb2f7;--p:#56c96e;--m:#ff8a80}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:76rem;padding:1rem 1.25rem 4rem;background:var(--b);color:var(--f);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.25;margin:.75rem 0 .25rem}h2{font-size:1.2rem;margin:2.25rem 0 .5rem}h3{font-size:1rem;margin:.75rem 0 .25rem}
header p,.s{color:var(--s);margin:.25rem 0;max-width:60rem}code{font:.9em ui-monospace,monospace}
ul{margin:.25rem 0;padding-left:1.25rem}li,td,th,summary>*{unicode-bidi:isolate}[hidden]{display:none!important}
.c{display:grid;align-items:start;gap:.5rem 2.5rem;grid-template-columns:repeat(auto-fit,minmax(min(24rem,100%),1fr))}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:.5rem 0 .25rem}
main>.v{max-width:48rem}.v{table-layout:fixed}.v th{width:30%;text-align:right;font-weight:400;padding:.1rem .6rem .1rem 0}.v td{padding:.1rem 0}.v td:last-child{width:28%;padding-left:.6rem}
.n{overflow-x:auto}.n table{width:auto}.n th,.n td{padding:.2rem .7rem .2rem 0;text-align:right;border-bottom:1px solid var(--l);white-space:nowrap}.n th:first-child,.n td:first-child{text-align:left}
svg{display:block;width:100%;height:.95rem;overflow:visible}rect{height:100%}.l svg{height:3rem}
path{fill:none;stroke:var(--s);stroke-width:2;vector-effect:non-scaling-stroke;stroke-linejoin:round;stroke-linecap:round}path.o{stroke:var(--t);stroke-width:6}path.x{stroke:var(--m);stroke-width:10}
.t{fill:var(--t)}.p{fill:var(--p)}.m{fill:var(--m)}.g{fill:var(--g)}.w{stroke:var(--s);stroke-width:2}
details{border-bottom:1px solid var(--l);content-visibility:auto;contain-intrinsic-size:auto 2.6rem}
summary{padding:.5rem .25rem;cursor:pointer}#list summary{display:grid;grid-template-columns:.5rem 3rem 1fr 6rem 9rem;gap:.75rem}
#list summary:before{content:"";align-self:start;margin-top:.45rem;border:.35rem solid transparent;border-left-color:var(--s);border-right-width:0}#list [open]>summary:before{transform:rotate(90deg)}summary:hover{background:var(--h)}summary b{font-variant-numeric:tabular-nums}
details>div{padding:.1rem .25rem 1rem 4.5rem}.e details>div,.e details>ul{padding:0 0 .25rem 1.25rem}.e details{border:0}.e summary{padding:.1rem .25rem}.e ul{list-style:none;padding-left:1.25rem}.e>ul{padding:0}
#tools{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;align-items:center;padding:.5rem 0}
input,select,button{font:inherit;padding:.3rem .5rem;color:var(--f);background:var(--b);border:1px solid var(--s);border-radius:4px;max-width:100%}button{cursor:pointer}
:focus-visible{outline:3px solid var(--t);outline-offset:1px}
@media(max-width:40rem){body{padding:.5rem .75rem 3rem}#list summary{grid-template-columns:.5rem 2.2rem 1fr 4rem;gap:.1rem .5rem}#list summary>:last-child{grid-column:3/5;color:var(--s)}details>div{padding-left:.25rem}}
@media print{:root{--b:#fff;--f:#000;--s:#444;--l:#bbb;--g:#ddd;--t:#0a5ea8;--p:#1a7f37;--m:#b42318}body{max-width:none;padding:0;font-size:11pt}#tools{display:none!important}details{content-visibility:visible}details,tr{break-inside:avoid}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
)";

constexpr std::string_view kStyleHash = "ewrXI7bc2sFSsMXNG6AvYfXRLmbJvDZj2HyDUMpeHxE=";

constexpr std::string_view kScript = R"(
(()=>{const get=id=>document.getElementById(id),list=get('list'),tools=get('tools');if(!list||!tools)return;
tools.hidden=false;const collator=new Intl.Collator(undefined,{numeric:true});
const rows=[...list.children].map((d,i)=>{const c=d.firstElementChild.children;
return{d,i,id:c[1].textContent,score:parseFloat(c[2].textContent),band:c[3].textContent,text:null}});
const find=get('find'),band=get('band'),sort=get('sort'),told=get('told'),open=get('open');
const show=()=>{const word=find.value.trim().toLowerCase();let n=0;for(const r of rows){
if(word&&r.text===null)r.text=r.d.textContent.toLowerCase();
const on=(!word||r.text.includes(word))&&(!band.value||r.band===band.value);
if(r.d.hidden===on)r.d.hidden=!on;if(on)n++}told.textContent=n+' of '+rows.length};
const number=x=>isNaN(x)?-Infinity:x;
const orders={place:(a,b)=>a.i-b.i,low:(a,b)=>b.i-a.i,id:(a,b)=>collator.compare(a.id,b.id),
high:(a,b)=>number(b.score)-number(a.score)||a.i-b.i};
sort.addEventListener('change',()=>{const f=document.createDocumentFragment();
for(const r of [...rows].sort(orders[sort.value]))f.append(r.d);list.append(f)});
let asked=0;find.addEventListener('input',()=>{cancelAnimationFrame(asked);asked=requestAnimationFrame(show)});
band.addEventListener('change',show);
open.addEventListener('click',()=>{const on=open.getAttribute('aria-pressed')!=='true';
open.setAttribute('aria-pressed',on);open.textContent=on?'Close all':'Open all';
for(const r of rows)if(!r.d.hidden)r.d.open=on});
let printed=[];addEventListener('beforeprint',()=>{printed=rows.filter(r=>!r.d.open&&!r.d.hidden).slice(0,200);
for(const r of printed)r.d.open=true});
addEventListener('afterprint',()=>{for(const r of printed)r.d.open=false});show()})();
)";

constexpr std::string_view kScriptHash = "WthOT48Px469Wsw8a8CmiI3s2gXoDbsxVyISi2ppX/0=";

}  // namespace

std::string escaped(std::string_view text, std::size_t most) {
  std::string out;
  for (const char c : printable(shorten(text, most))) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string page_begin(std::string_view title) {
  std::string out =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-";
  out += kStyleHash;
  out += "'; script-src 'sha256-";
  out += kScriptHash;
  out += "'; base-uri 'none'; form-action 'none'\"><meta name=\"referrer\" content=\"no-referrer\"><title>";
  out += escaped(title) + "</title>\n<style>";
  out += kStyle;
  return out + "</style></head><body>\n";
}

std::string page_end() { return "<script>" + std::string(kScript) + "</script>\n</body></html>\n"; }

}  // namespace assay::cli
