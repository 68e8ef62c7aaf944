import { SaxesParser } from 'saxes'

const SVG = 'http://www.w3.org/2000/svg'
const XHTML = 'http://www.w3.org/1999/xhtml'

/** Elements that run something, load something or bring another language into the picture. */
const FORBIDDEN = new Set([
  'script', 'foreignobject', 'iframe', 'embed', 'object', 'handler', 'listener', 'audio', 'video', 'source', 'link', 'meta', 'base', 'discard',
])

/** Pictures that may stand inside the file itself; an SVG within an SVG would escape the check. */
const INLINE_PICTURE = /^data:image\/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/=\s]*$/

/**
 * Says what makes an SVG dangerous, in one Chinese sentence; undefined when nothing does.
 * A picture passes only when it neither runs nor fetches anything.
 */
export function svgProblem(text: string): string | undefined {
  const problems: string[] = []
  const parser = new SaxesParser({ xmlns: true })
  let root = true
  /** Text of the style element that is open. */
  let style: string | undefined
  parser.on('error', () => problems.push('SVG 文件格式有误'))
  parser.on('doctype', (doctype) => {
    // Entities could spell what is forbidden in a way that this check does not read.
    if (doctype.includes('[')) problems.push('SVG 不能包含实体定义')
  })
  parser.on('processinginstruction', ({ target }) => {
    if (target.toLowerCase() !== 'xml') problems.push('SVG 不能引用样式表')
  })
  parser.on('opentag', (tag) => {
    const name = tag.local.toLowerCase()
    if (root && (name !== 'svg' || tag.uri !== SVG)) problems.push('不是 SVG 图片')
    root = false
    // Browsers join the text around a child, so that a word could be spelt in halves.
    if (style !== undefined) problems.push('SVG 文件格式有误')
    if (name === 'style') style = ''
    if (FORBIDDEN.has(name) || tag.uri === XHTML) problems.push(`SVG 不能包含 ${tag.local} 元素`)
    for (const attribute of Object.values(tag.attributes)) {
      const key = attribute.local.toLowerCase()
      const value = attribute.value
      if (key.startsWith('on') || attribute.name.toLowerCase() === 'xml:base') problems.push('SVG 不能包含事件脚本')
      // Animations may set an attribute later that the check would refuse now.
      if (key === 'attributename' && /^(on|.*href$|src$|style$)/i.test(value.trim())) problems.push('SVG 不能用动画改变链接')
      if ((key === 'href' || key === 'src') && !isInside(value, name)) problems.push('SVG 不能引用外部内容')
      if (attribute.prefix !== 'xmlns' && key !== 'xmlns' && loads(value)) problems.push('SVG 不能引用外部内容')
    }
  })
  const collect = (text: string) => {
    if (style !== undefined) style += text
  }
  parser.on('text', collect)
  parser.on('cdata', collect)
  parser.on('closetag', ({ local }) => {
    if (local.toLowerCase() !== 'style') return
    if (style !== undefined && loads(style)) problems.push('SVG 不能引用外部内容')
    style = undefined
  })
  try {
    parser.write(text).close()
  } catch {
    problems.push('SVG 文件格式有误')
  }
  if (root) problems.push('不是 SVG 图片')
  return problems[0]
}

/** A link to a part of the same file, or a picture that is inside it. */
function isInside(link: string, element: string): boolean {
  const target = link.trim()
  return target === '' || target.startsWith('#') || ((element === 'image' || element === 'feimage') && INLINE_PICTURE.test(target))
}

/** Whether style text fetches something: an import, or a url() that leads out of the file. */
function loads(css: string): boolean {
  // Escapes and comments can break up the words that are looked for; no drawing program writes them there.
  const plain = css.replace(/\/\*[\s\S]*?\*\//g, '')
  if (/\\/.test(plain) && /\\[0-9a-f]/i.test(plain)) return true
  if (/@import|image-set|expression\s*\(|javascript:/i.test(plain)) return true
  return [...plain.matchAll(/url\(\s*(['"]?)([^)]*)/gi)].some((match) => !isInside((match[2] ?? '').replace(/['"]\s*$/, ''), 'image'))
}
