/** What somebody sees who scanned a code. Pure: words in, a page out. */

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string) => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)

/** Something that those who scan a code are told beside what it leads to. */
export interface ScanNote {
  readonly title: string
  readonly lines: readonly string[]
}

export interface ScanPage {
  /** Book, page and name, as far as they are known. */
  readonly where: readonly string[]
  readonly title: string
  readonly words: string
  /** Address of a film that plays here. */
  readonly video?: string
  /** What is to be known about the printed page. */
  readonly notes?: readonly ScanNote[]
  /** Address outside, which is named before anybody goes there. */
  readonly leave?: { readonly url: string; readonly host: string }
}

const STYLE = `:root{color-scheme:light dark}body{margin:0;font:16px/1.7 system-ui,"PingFang SC","Microsoft YaHei",sans-serif;background:#f4f6f8;color:#1c2733}
main{max-width:640px;margin:0 auto;padding:32px 20px}p{margin:0 0 8px}.where{color:#5b6875;font-size:14px}h1{font-size:22px;line-height:1.4;margin:8px 0 16px}section{margin-top:24px;padding:12px 16px;border-left:4px solid #c77700;border-radius:6px;background:#fff6e5}h2{font-size:16px;margin:0 0 8px}.said{white-space:pre-line}video{width:100%;border-radius:8px;background:#000}
a{display:inline-block;margin-top:12px;padding:10px 20px;border-radius:6px;background:#1f5fa8;color:#fff;text-decoration:none}
@media (prefers-color-scheme:dark){body{background:#14191f;color:#e4e9ee}.where{color:#9aa7b3}section{background:#33291a}}`

const noteHtml = ({ title, lines }: ScanNote) => `<section><h2>${escape(title)}</h2>${lines.map((line) => `<p class="said">${escape(line)}</p>`).join('')}</section>`

/** The page as HTML. It needs no script, so that it opens in the browser of whatever app scanned the code. */
export function scanHtml({ where, title, words, video, leave, notes = [] }: ScanPage): string {
  return `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escape(title)}</title><style>${STYLE}</style>
<main><p class="where">${escape(where.filter(Boolean).join(' · '))}</p><h1>${escape(title)}</h1>${video === undefined ? '' : `<video controls playsinline preload="metadata" src="${escape(video)}"></video>`}<p>${escape(words)}</p>${leave ? `<a rel="noreferrer" href="${escape(leave.url)}">前往 ${escape(leave.host)}</a>` : ''}${notes.map(noteHtml).join('')}</main></html>`
}
