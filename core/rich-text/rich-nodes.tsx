import { Extension, Mark, mergeAttributes, Node, type NodeViewRenderer } from '@tiptap/core'
import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table'
import { Plugin } from '@tiptap/pm/state'
import StarterKit from '@tiptap/starter-kit'

type Draw = (tex: string, display: boolean) => string
let draw: Draw | undefined
const waiting = new Set<() => void>()

/** KaTeX comes with the first formula; until then, and where a formula is wrong, its source is shown. */
function drawTex(target: HTMLElement, tex: string, display: boolean): void {
  if (!draw) {
    target.textContent = tex || '公式'
    waiting.add(() => drawTex(target, tex, display))
    if (waiting.size === 1) {
      void Promise.all([import('./tex-compile.ts'), import('katex/dist/katex.min.css')]).then(([{ texToHtml }]) => {
        draw = texToHtml
        for (const again of waiting) again()
        waiting.clear()
      })
    }
    return
  }
  try {
    // KaTeX escapes all text and trusts nothing: this is markup of its own making only.
    target.innerHTML = tex ? draw(tex, display) : '<i>公式</i>'
    target.classList.remove('rich-wrong')
    target.title = tex
  } catch (error) {
    target.textContent = tex
    target.classList.add('rich-wrong')
    target.title = error instanceof Error ? error.message : '公式写法有误'
  }
}

/** What a double click, or Enter on the chosen node, opens; set by the editor that holds it. */
export type OpenNode = (node: { type: string; attrs: Record<string, unknown>; pos: number }) => void

interface NodeOptions {
  onOpen: OpenNode
}

/** A node view without a framework: a formula is drawn once and left alone while the text around it is typed. */
const drawn = (tag: 'span' | 'div', className: string, paint: (target: HTMLElement, attrs: Record<string, unknown>) => void, onOpen: () => OpenNode): NodeViewRenderer => ({ node, getPos }) => {
  const dom = document.createElement(tag)
  dom.className = className
  paint(dom, node.attrs)
  dom.addEventListener('dblclick', (event) => {
    event.preventDefault()
    const pos = getPos()
    if (pos !== undefined) onOpen()({ type: node.type.name, attrs: node.attrs, pos })
  })
  return {
    dom,
    update(next) {
      if (next.type !== node.type) return false
      if (JSON.stringify(next.attrs) !== JSON.stringify(node.attrs)) paint(dom, next.attrs)
      node = next
      return true
    },
    selectNode: () => dom.classList.add('rich-chosen'),
    deselectNode: () => dom.classList.remove('rich-chosen'),
  }
}

const attributes = (names: Readonly<Record<string, unknown>>) => () => Object.fromEntries(Object.entries(names).map(([name, initial]) => [name, { default: initial, rendered: false }]))
/** Own nodes travel over the clipboard as an element that carries their attributes. */
const own = (name: string, tag = 'span') => ({
  parseHTML: () => [{ tag: `${tag}[data-rich="${name}"]`, getAttrs: (element: HTMLElement) => readAttrs(element) }],
  renderHTML: ({ node }: { node: { attrs: Record<string, unknown> } }) => [tag, { 'data-rich': name, 'data-attrs': JSON.stringify(node.attrs) }] as [string, Record<string, string>],
})
function readAttrs(element: HTMLElement): Record<string, unknown> {
  try {
    return JSON.parse(element.dataset['attrs'] ?? '{}') as Record<string, unknown>
  } catch {
    return {}
  }
}

function image(target: HTMLElement, attrs: Record<string, unknown>, block: boolean): void {
  const picture = document.createElement('img')
  picture.src = String(attrs['asset'] ?? '')
  picture.alt = String(attrs['alt'] ?? attrs['caption'] ?? '')
  if (typeof attrs['w'] === 'number') picture.width = attrs['w']
  target.replaceChildren(picture)
  if (block) {
    target.style.textAlign = String(attrs['align'] ?? 'center')
    if (attrs['caption']) target.append(Object.assign(document.createElement('figcaption'), { textContent: String(attrs['caption']) }))
  }
  if (attrs['pending'] === true) target.append(Object.assign(document.createElement('small'), { className: 'doc-pending', textContent: '待补公式' }))
}

const atoms: readonly { name: string; inline: boolean; attrs: Readonly<Record<string, unknown>>; className: string; paint: (target: HTMLElement, attrs: Record<string, unknown>) => void }[] = [
  { name: 'tex', inline: true, attrs: { tex: '' }, className: 'rich-tex', paint: (target, { tex }) => drawTex(target, String(tex), false) },
  { name: 'mathBlock', inline: false, attrs: { tex: '' }, className: 'rich-math', paint: (target, { tex }) => drawTex(target, String(tex), true) },
  {
    name: 'blank', inline: true, attrs: { id: '', width: null, style: null }, className: 'rich-blank',
    paint: (target, { width, style }) => {
      target.dataset['kind'] = String(style ?? 'line')
      target.style.minWidth = `${Number(width ?? 5)}em`
      target.setAttribute('aria-label', '填空')
    },
  },
  { name: 'choiceParen', inline: true, attrs: {}, className: 'rich-paren', paint: (target) => { target.textContent = '（　　）' } },
  { name: 'subref', inline: true, attrs: { n: 1 }, className: 'rich-hole', paint: (target, { n }) => { target.textContent = String(n) } },
  { name: 'fieldChip', inline: true, attrs: { path: '', label: '', b: null }, className: 'rich-chip', paint: (target, { label }) => { target.textContent = String(label) } },
  { name: 'inlineImage', inline: true, attrs: { asset: '', w: null, alt: null, pending: null }, className: 'rich-image', paint: (target, attrs) => image(target, attrs, false) },
  { name: 'imageBlock', inline: false, attrs: { asset: '', w: null, align: null, caption: null }, className: 'rich-figure', paint: (target, attrs) => image(target, attrs, true) },
  {
    name: 'audioBlock', inline: false, attrs: { asset: '', title: null }, className: 'rich-figure',
    paint: (target, { asset, title }) => target.replaceChildren(Object.assign(document.createElement('audio'), { src: String(asset), controls: true, preload: 'none', title: String(title ?? '') })),
  },
  {
    name: 'writingLines', inline: false, attrs: { n: 4, style: null }, className: 'rich-lines',
    paint: (target, { n, style }) => {
      target.dataset['kind'] = String(style ?? 'line')
      target.replaceChildren(...Array.from({ length: Number(n) }, () => document.createElement('div')))
    },
  },
]

/** Nodes that stand as one character or one block and are changed in a dialog. */
const atomNodes = (onOpen: () => OpenNode) => atoms.map(({ name, inline, attrs, className, paint }) => Node.create<NodeOptions>({
  name, inline, group: inline ? 'inline' : 'block', atom: true, selectable: true, draggable: true,
  addAttributes: attributes(attrs),
  ...own(name, inline ? 'span' : 'div'),
  addNodeView: () => drawn(inline ? 'span' : 'div', className, paint, onOpen),
  addKeyboardShortcuts() {
    return {
      Enter: ({ editor }) => {
        const { selection } = editor.state
        const node = 'node' in selection ? selection.node as { type: { name: string }; attrs: Record<string, unknown> } : undefined
        if (node?.type.name !== name) return false
        onOpen()({ type: name, attrs: node.attrs, pos: selection.from })
        return true
      },
    }
  },
}))

const simpleMark = (name: string, tag: string, className: string | undefined, keys: string | undefined) => Mark.create({
  name,
  parseHTML: () => [{ tag: className ? `${tag}.${className}` : tag }],
  renderHTML: ({ HTMLAttributes }) => [tag, mergeAttributes(HTMLAttributes, className ? { class: className } : {}), 0],
  addKeyboardShortcuts() {
    return keys ? { [keys]: () => this.editor.commands.toggleMark(name) } : {}
  },
})

const marks = [
  simpleMark('dot', 'span', 'doc-dot', 'Mod-.'), simpleMark('wave', 'span', 'doc-wave', undefined),
  simpleMark('subscript', 'sub', undefined, 'Mod-='), simpleMark('superscript', 'sup', undefined, 'Mod-Shift-='),
  Mark.create({
    name: 'ruby',
    inclusive: false,
    addAttributes: () => ({ text: { default: '', rendered: false } }),
    parseHTML: () => [{ tag: 'span[data-ruby]', getAttrs: (element) => ({ text: element.dataset['ruby'] ?? '' }) }],
    renderHTML: ({ mark }) => ['span', { 'data-ruby': String(mark.attrs['text']), class: 'rich-ruby' }, 0],
  }),
]

/** Blocks that hold lines: poems, dialogues, lists. */
const holders = [
  Node.create({ name: 'poem', group: 'block', content: 'poemLine+', defining: true, parseHTML: () => [{ tag: 'div.doc-poem' }], renderHTML: () => ['div', { class: 'doc-poem' }, 0] }),
  Node.create({ name: 'poemLine', content: 'inline*', parseHTML: () => [{ tag: 'div.doc-poem > p' }], renderHTML: () => ['p', 0] }),
  Node.create({ name: 'dialogue', group: 'block', content: 'dialogueTurn+', defining: true, parseHTML: () => [{ tag: 'div.rich-dialogue' }], renderHTML: () => ['div', { class: 'rich-dialogue' }, 0] }),
  Node.create({
    name: 'dialogueTurn', content: 'inline*', addAttributes: () => ({ who: { default: '', parseHTML: (element: HTMLElement) => element.dataset['who'] ?? '', renderHTML: ({ who }: Record<string, unknown>) => ({ 'data-who': String(who) }) } }),
    parseHTML: () => [{ tag: 'p[data-who]' }], renderHTML: ({ HTMLAttributes }) => ['p', HTMLAttributes, 0],
  }),
  Node.create({
    name: 'richList', group: 'block', content: 'richListItem+',
    addAttributes: () => ({
      style: { default: 'bullet', parseHTML: (element: HTMLElement) => element.dataset['style'] ?? (element.tagName === 'OL' ? 'decimal' : 'bullet'), renderHTML: ({ style }: Record<string, unknown>) => ({ 'data-style': String(style), class: `doc-list-${String(style)}` }) },
      start: { default: null, parseHTML: (element: HTMLElement) => Number(element.getAttribute('start')) || null, renderHTML: ({ start }: Record<string, unknown>) => (start ? { start: String(start) } : {}) },
    }),
    parseHTML: () => [{ tag: 'ul' }, { tag: 'ol' }], renderHTML: ({ node, HTMLAttributes }) => [node.attrs['style'] === 'bullet' ? 'ul' : 'ol', HTMLAttributes, 0],
  }),
  Node.create({
    name: 'richListItem', content: 'block+', defining: true, parseHTML: () => [{ tag: 'li' }], renderHTML: () => ['li', 0],
    addKeyboardShortcuts() {
      return {
        Enter: ({ editor }) => editor.commands.splitListItem('richListItem'),
        Tab: ({ editor }) => editor.commands.sinkListItem('richListItem'),
        'Shift-Tab': ({ editor }) => editor.commands.liftListItem('richListItem'),
      }
    },
  }),
]

const styledParagraph = {
  addAttributes: () => ({
    align: { default: null, parseHTML: (element: HTMLElement) => element.style.textAlign || null, renderHTML: ({ align }: Record<string, unknown>) => (align ? { style: `text-align: ${String(align)}` } : {}) },
    indent: { default: null, parseHTML: (element: HTMLElement) => Number.parseFloat(element.style.textIndent) || null, renderHTML: ({ indent }: Record<string, unknown>) => (indent ? { style: `text-indent: ${Number(indent)}em` } : {}) },
  }),
}

interface Hooks {
  onOpen: () => OpenNode
  /** Takes what is pasted or dropped; true when it did. */
  onPaste: (event: ClipboardEvent) => boolean
  onDrop: (event: DragEvent) => boolean
}

/** Everything that a rich text may hold (content/rich-doc.ts), as the editor's extensions. */
export function richExtensions({ onOpen, onPaste, onDrop }: Hooks) {
  const kit = StarterKit.configure({
    blockquote: false, bulletList: false, orderedList: false, listItem: false, listKeymap: false, heading: false, code: false, codeBlock: false, horizontalRule: false, link: false, strike: false, paragraph: false, trailingNode: false,
  })
  return [
    kit,
    Node.create({
      name: 'paragraph', priority: 1000, group: 'block', content: 'inline*', ...styledParagraph,
      parseHTML: () => [{ tag: 'p' }], renderHTML: ({ HTMLAttributes }) => ['p', HTMLAttributes, 0],
    }),
    ...marks, ...holders, ...atomNodes(onOpen),
    Table.extend({ addAttributes() { return { ...this.parent?.(), plain: { default: false, rendered: false } } } }).configure({ resizable: false }), TableRow, TableHeader, TableCell,
    Extension.create({ name: 'pasteHook', addProseMirrorPlugins: () => [new Plugin({ props: { handlePaste: (_view, event) => onPaste(event), handleDrop: (_view, event) => onDrop(event) } })] }),
  ]
}
