/** The style sheet of the HTML report. A constant, so that the page can allow it by its hash. */
export const htmlStyle = `
:root{color-scheme:light dark;--bg:#f4f6f8;--card:#ffffff;--fg:#1c2128;--muted:#57606a;--line:#d5dbe1;
--pass:#14663d;--warn:#7a4d00;--suspect:#8a3b00;--fail:#a1141f;--unknown:#5b3fa8;--skipped:#4d5761}
@media (prefers-color-scheme:dark){:root{--bg:#0c0f13;--card:#12161c;--fg:#e8edf2;--muted:#a0abb7;--line:#2d353f;
--pass:#5fd38d;--warn:#e3c04d;--suspect:#ffa657;--fail:#ff8d86;--unknown:#c0a8ff;--skipped:#b1bbc6}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--fg);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:62rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:1.6rem;line-height:1.25;margin:0}
h2{font-size:1.15rem;margin:2.25rem 0 .75rem}
header p{margin:.35rem 0;color:var(--muted)}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;overflow:hidden}
.verdict{display:flex;flex-wrap:wrap;gap:.4rem 1.25rem;align-items:baseline;padding:.9rem 1.1rem;margin:1.25rem 0}
.verdict strong{font-size:1.1rem}
.notes{margin:.5rem 0 0;padding-left:1.2rem;color:var(--muted)}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.6rem .9rem;border-top:1px solid var(--line);overflow-wrap:anywhere}
thead th{border-top:0;font-size:.8rem;color:var(--muted);font-weight:600}
th[scope=row]{font-weight:600}
.items{table-layout:fixed}
.items>thead th:nth-child(1){width:7.5rem}
.items>thead th:nth-child(2){width:25%}
.items>thead th:nth-child(4){width:6rem;text-align:right}
td.time{white-space:nowrap;text-align:right;color:var(--muted);font-variant-numeric:tabular-nums}
.status span{display:inline-block;border:1.5px solid currentColor;border-radius:999px;padding:0 .6rem;
font-size:.85rem;font-weight:600;white-space:nowrap}
.pass{color:var(--pass)}.warn{color:var(--warn)}.suspect{color:var(--suspect)}.fail{color:var(--fail)}
.unknown{color:var(--unknown)}.skipped{color:var(--skipped)}
.hint{margin:.3rem 0 0;color:var(--muted)}
.hint::before{content:"→ "}
details{margin-top:.4rem}
summary{cursor:pointer;color:var(--muted);font-size:.9rem}
details table{margin:.4rem 0;font-size:.9rem}
details th,details td{padding:.25rem .75rem .25rem 0}
details th[scope=row]{width:34%}
details td{white-space:pre-line}
td.provenance{white-space:nowrap;color:var(--muted);width:6rem}
.wide{overflow-x:auto}
main:has(.figures){max-width:72rem}
.figures th,.figures td{white-space:nowrap;padding-inline:.7rem}
.figures th[scope=row]{white-space:normal;min-width:16rem;max-width:24rem}
.figures thead{position:static;width:auto;height:auto;clip-path:none}
.figures .number{text-align:right;font-variant-numeric:tabular-nums}
.figures .why td{border-top:0;padding-top:0;white-space:normal;color:var(--muted)}
pre{margin:.5rem 0 0;padding:.75rem;background:var(--bg);border:1px solid var(--line);border-radius:6px;
overflow:auto;max-height:24rem;font:12.5px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
pre.whole{user-select:all}
figure{margin:1rem 0;padding:.5rem;overflow-x:auto}
figure svg{display:block;max-width:100%;height:auto;margin:0 auto}
footer{margin-top:2.5rem;color:var(--muted);font-size:.85rem}
a:focus-visible,summary:focus-visible,.wide:focus-visible{outline:2px solid var(--unknown);outline-offset:2px}
@media (max-width:40rem){
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.items>tbody>tr{display:block;padding:.6rem .9rem;border-top:1px solid var(--line)}
.items>tbody>tr>*{display:block;width:auto;border:0;padding:.1rem 0;text-align:left}
td.time{text-align:left}
figure svg{min-width:34rem}}
@media print{:root{color-scheme:light;--bg:#ffffff;--card:#ffffff;--fg:#000000;--muted:#444444;--line:#bbbbbb;
--pass:#14663d;--warn:#7a4d00;--suspect:#8a3b00;--fail:#a1141f;--unknown:#5b3fa8;--skipped:#4d5761}
main{max-width:none;padding:0}
.card{border-radius:0}
tr,figure{break-inside:avoid}
pre{max-height:none}
details::details-content{content-visibility:visible;height:auto}}
`;
