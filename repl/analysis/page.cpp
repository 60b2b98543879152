// Pieces of a page. See page.hpp.
#include "repl/analysis/page.hpp"

#include "repl/analysis/document.hpp"

#include <assay/assay.hpp>

#include <algorithm>

namespace assay::cli {

std::string escaped(std::string_view text) {
  constexpr std::size_t kMost = 300;  // characters
  const std::string shown = printable(shorten(std::string(text), kMost));
  std::string out;
  for (const char c : shown) {
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

namespace {

std::string px(double value) { return shown_double(value, 1); }

std::string svg_begin(double width, double height, std::string_view title) {
  return "<svg viewBox=\"0 0 " + px(width) + " " + px(height) + "\" role=\"img\" aria-label=\"" + escaped(title) +
         "\">";
}

constexpr double kNames = 170, kBars = 300, kLabels = 110, kRow = 22;

std::string row_texts(std::string_view name, std::string_view label, double y) {
  constexpr std::size_t kNameLength = 24;
  return "<text x=\"" + px(kNames - 8) + "\" y=\"" + px(y + 15) + "\" text-anchor=\"end\">" +
         escaped(shorten(std::string(name), kNameLength)) + "</text><text x=\"" + px(kNames + kBars + 8) + "\" y=\"" +
         px(y + 15) + "\">" + escaped(label) + "</text>";
}

}  // namespace

std::string waterfall(const std::vector<Step>& steps, double low, double high, std::string_view title) {
  std::string out = svg_begin(kNames + kBars + kLabels, static_cast<double>(steps.size()) * kRow, title);
  const double span = high > low ? high - low : 1;
  const auto at = [&](double v) { return kNames + std::clamp((v - low) / span, 0.0, 1.0) * kBars; };
  double y = 0;
  for (const Step& step : steps) {
    const double a = at(std::min(step.from, step.to)), b = at(std::max(step.from, step.to));
    const char* kind = step.kind == Step::Kind::total ? "t" : step.kind == Step::Kind::plus ? "p" : "m";
    out += row_texts(step.name, step.label, y) + "<rect class=\"" + kind + "\" x=\"" + px(a) + "\" y=\"" + px(y + 4) +
           "\" width=\"" + px(std::max(b - a, 1.5)) + "\" height=\"14\"/>";
    y += kRow;
  }
  return out + "</svg>";
}

std::string bars(const std::vector<BarRow>& rows, std::string_view title) {
  std::string out = svg_begin(kNames + kBars + kLabels, static_cast<double>(rows.size()) * kRow, title);
  double y = 0;
  for (const BarRow& row : rows) {
    const auto at = [](double v) { return kNames + std::clamp(v, 0.0, 1.0) * kBars; };
    out += row_texts(row.name, row.label, y);
    out += "<rect class=\"g\" x=\"" + px(kNames) + "\" y=\"" + px(y + 4) + "\" width=\"" + px(kBars) +
           "\" height=\"14\"/>";
    if (row.low >= 0) {
      out += "<path class=\"w\" d=\"M" + px(at(row.low)) + " " + px(y + 11) + "H" + px(at(row.high)) + "M" +
             px(at(row.low)) + " " + px(y + 5) + "v12M" + px(at(row.high)) + " " + px(y + 5) + "v12\"/>";
      out += "<circle class=\"t\" cx=\"" + px(at(row.value)) + "\" cy=\"" + px(y + 11) + "\" r=\"4\"/>";
    } else {
      out += "<rect class=\"t\" x=\"" + px(kNames) + "\" y=\"" + px(y + 4) + "\" width=\"" +
             px(at(row.value) - kNames) + "\" height=\"14\"/>";
    }
    y += kRow;
  }
  return out + "</svg>";
}

std::string page_begin(std::string_view title) {
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
         "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
         "script-src 'unsafe-inline'\"><title>" +
         escaped(title) +
         "</title>\n<style>\n"
         ":root{color-scheme:light "
         "dark;--b:#fff;--f:#1b1f24;--s:#57606a;--l:#d0d7de;--g:#eaeef2;--t:#0a5ea8;--p:#1a7f37;"
         "--m:#b42318}\n"
         "@media(prefers-color-scheme:dark){:root{--b:#0f1318;--f:#e6edf3;--s:#9aa4af;--l:#323a44;--g:#222932;--t:#"
         "6cb2f7;"
         "--p:#56c96e;--m:#ff8a80}}\n"
         "*{box-sizing:border-box}body{margin:0 auto;max-width:72rem;padding:1rem;background:var(--b);color:var(--f);"
         "font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}h1{font-size:1.6rem;margin:.5rem 0}"
         "h2{font-size:1.2rem;margin:2rem 0 "
         ".5rem}p,.s{color:var(--s)}svg{display:block;width:100%;max-width:36rem;height:auto}"
         "svg text{font:13px system-ui,sans-serif;fill:var(--f)}.t{fill:var(--t)}.p{fill:var(--p)}.m{fill:var(--m)}"
         ".g{fill:var(--g)}.w{stroke:var(--s);stroke-width:2;fill:none}\n"
         "details{border-bottom:1px solid var(--l);content-visibility:auto;contain-intrinsic-size:auto 3rem}"
         "summary{display:grid;grid-template-columns:4rem 1fr 6rem 8rem;gap:.75rem;padding:.5rem;cursor:pointer}"
         "summary:focus-visible,button:focus-visible,input:focus-visible{outline:3px solid var(--t)}"
         "summary b{font-variant-numeric:tabular-nums}.in{padding:.25rem .75rem 1rem}.c{display:grid;gap:1rem;"
         "grid-template-columns:repeat(auto-fit,minmax(18rem,1fr))}input,select{font:inherit;padding:.35rem;color:var(-"
         "-f);"
         "background:var(--b);border:1px solid var(--s);border-radius:4px;max-width:100%}label{margin-right:1rem}"
         "h3{font-size:1rem;margin:.75rem 0 .25rem}ul{margin:.25rem 0;padding-left:1.25rem}[hidden]{display:none}\n"
         "@media(max-width:32rem){summary{grid-template-columns:2.5rem 1fr 4rem}summary "
         "span:last-child{grid-column:2/4}}\n"
         "@media "
         "print{body{max-width:none}#tools{display:none}details{break-inside:avoid;content-visibility:visible}}\n"
         "</style></head><body>\n";
}

std::string page_end() {
  return "<script>\n"
         "(()=>{const "
         "list=document.getElementById('list'),tools=document.getElementById('tools');if(!list||!tools)return;"
         "tools.hidden=false;const all=[...list.children],find=document.getElementById('find'),"
         "sort=document.getElementById('sort'),band=document.getElementById('band'),told=document.getElementById('told'"
         ");"
         "const show=()=>{const word=find.value.toLowerCase();let n=0;for(const d of all){"
         "const on=(!word||d.dataset.id.toLowerCase().includes(word))&&(!band.value||d.dataset.band===band.value);"
         "d.hidden=!on;if(on)n++}told.textContent=n+' of '+all.length};"
         "sort.addEventListener('change',()=>{const by=sort.value,o=[...all];"
         "if(by==='id')o.sort((a,b)=>a.dataset.id.localeCompare(b.dataset.id));"
         "if(by==='low')o.reverse();list.append(...o)});"
         "find.addEventListener('input',show);band.addEventListener('change',show);show();"
         "let "
         "opened=[];addEventListener('beforeprint',()=>{opened=all.filter(d=>!d.open&&!d.hidden);if(all.length<=200)"
         "for(const d of opened)d.open=true});addEventListener('afterprint',()=>{for(const d of "
         "opened)d.open=false})})();\n"
         "</script>\n</body></html>\n";
}

}  // namespace assay::cli
