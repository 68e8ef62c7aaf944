import { expect, test } from 'vitest'
import { svgProblem } from './svg.ts'

const svg = (body: string, attributes = '') => `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${body}</svg>`

test.each([
  ['a drawing', svg('<defs><linearGradient id="g"/></defs><rect fill="url(#g)" style="stroke: url(\'#g\')"/><use href="#g"/><use xlink:href="#g"/>')],
  ['a picture inside', svg('<image href="data:image/png;base64,iVBORw0KGgo="/>')],
  ['a style sheet', svg('<style>.a { fill: red; filter: url(#f) }</style><path class="a" d="M0 0"/>')],
  ['an editor\'s own elements', `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${svg('<i:view xmlns:i="http://www.inkscape.org/x" i:zoom="1"/>')}`],
  ['a fade', svg('<rect><animate attributeName="opacity" values="0;1"/></rect>')],
])('lets %s pass', (_name, text) => {
  expect(svgProblem(text)).toBeUndefined()
})

test.each([
  ['script', svg('<script>alert(1)</script>')],
  ['script under a prefix', '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script>alert(1)</s:script></s:svg>'],
  ['script in capitals', svg('<SCRIPT>alert(1)</SCRIPT>')],
  ['script of another language', svg('<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>')],
  ['a page', svg('<h:div xmlns:h="http://www.w3.org/1999/xhtml">x</h:div>')],
  ['foreignObject', svg('<foreignObject><p>x</p></foreignObject>')],
  ['an event handler on the root', svg('', 'onload="alert(1)"')],
  ['an event handler within', svg('<rect onClick="alert(1)"/>')],
  ['a javascript link', svg('<a href="javascript:alert(1)"><text>x</text></a>')],
  ['a link with spaces and breaks', svg('<a xlink:href=" java&#10;script:alert(1)"><text>x</text></a>')],
  ['a foreign picture', svg('<image href="https://evil.example/x.png"/>')],
  ['a picture of the same site', svg('<image href="/daoyuan/api/end/staff"/>')],
  ['an SVG in the SVG', svg('<image href="data:image/svg+xml;base64,PHN2Zz4="/>')],
  ['a used foreign drawing', svg('<use href="https://evil.example/x.svg#a"/>')],
  ['a used drawing as data', svg('<use href="data:image/svg+xml,&lt;svg/>#a"/>')],
  ['a style that loads', svg('<style>@import "https://evil.example/x.css";</style>')],
  ['a style that loads a font', svg('<style>@font-face { src: url( "https://evil.example/f" ) }</style>')],
  ['a style in halves', svg('<style>@imp<desc/>ort "https://evil.example/x.css";</style>')],
  ['a style in CDATA halves', svg('<style>@imp<![CDATA[ort "https://evil.example/x.css";]]></style>')],
  ['an escaped style', svg('<rect style="fill: u\\72l(https://evil.example/)"/>')],
  ['an attribute that loads', svg('<rect fill="url(https://evil.example/x)"/>')],
  ['an animated link', svg('<a><animate attributeName="href" values="javascript:alert(1)"/><text>x</text></a>')],
  ['a link set later', svg('<a><set attributeName="xlink:href" to="#x"/></a>')],
  ['a moved base', svg('<use href="#x"/>', 'xml:base="https://evil.example/"')],
  ['entities', `<!DOCTYPE svg [<!ENTITY x "<script>alert(1)</script>">]>${svg('&x;')}`],
  ['a style sheet instruction', `<?xml-stylesheet href="https://evil.example/x.css"?>${svg('')}`],
  ['a page with another ending', '<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>'],
  ['broken markup', '<svg xmlns="http://www.w3.org/2000/svg"><rect>'],
  ['nothing', ''],
])('refuses %s', (_name, text) => {
  expect(svgProblem(text)).toMatch(/SVG/)
})
