import { Fragment, type ReactNode } from 'react'
import { Formula } from './formula.tsx'
import type { Block, BlockKind, Inline, InlineNode, ListStyle, RichDoc, StyledText } from './rich-doc.ts'
import './rich-text.css'

type Show<Node, Kind extends string> = { [K in Kind]: (node: Extract<Node, { t: K }>) => ReactNode }

const MARKS: readonly (readonly [keyof StyledText, string])[] = [
  ['b', 'doc-bold'], ['i', 'doc-italic'], ['u', 'doc-under'], ['dot', 'doc-dot'], ['wave', 'doc-wave'], ['sub', 'doc-sub'], ['sup', 'doc-sup'],
]

function Styled({ node }: { node: StyledText }) {
  const names = MARKS.filter(([mark]) => node[mark]).map(([, name]) => name).join(' ')
  const words = node.ruby ? <ruby>{node.text}<rt>{node.ruby}</rt></ruby> : node.text
  return <span className={names}>{words}</span>
}

const INLINE: Show<InlineNode, InlineNode['t']> = {
  text: (node) => <Styled node={node} />,
  tex: (node) => <Formula tex={node.tex} />,
  img: (node) => (
    <>
      <img className="doc-inline-image" src={node.asset} alt={node.alt ?? ''} {...(node.w ? { width: node.w } : {})} loading="lazy" />
      {node.pending && <span className="doc-pending">待补公式</span>}
    </>
  ),
  blank: (node) => <span className={`doc-blank doc-blank-${node.style ?? 'line'}`} style={{ minWidth: `${node.width ?? 5}em` }} role="img" aria-label="填空" />,
  paren: () => <span className="doc-paren">（　　）</span>,
  subref: (node) => <span className="doc-hole">{node.n}</span>,
  br: () => <br />,
  field: (node) => <span className="doc-field">{node.label}</span>,
}

/** Text within a line. */
export function Inlines({ inlines }: { inlines: readonly Inline[] }) {
  return inlines.map((inline, index) => <Fragment key={index}>{typeof inline === 'string' ? inline : (INLINE[inline.t] as (node: InlineNode) => ReactNode)(inline)}</Fragment>)
}

const LIST_TYPES: Readonly<Record<ListStyle, string>> = { bullet: 'disc', decimal: 'decimal', paren: '"（" counter(list-item) "）"', circle: 'decimal', letter: 'upper-alpha' }

const BLOCK: Show<Block, BlockKind> = {
  p: (block) => <p style={{ textAlign: block.align, textIndent: block.indent ? `${block.indent}em` : undefined }}><Inlines inlines={block.c} /></p>,
  table: (block) => (
    <div className="doc-table-frame">
      <table className={block.plain ? 'doc-table-plain' : 'doc-table'}>
        <tbody>
          {block.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, place) => {
                const span = { colSpan: cell.colspan, rowSpan: cell.rowspan }
                return cell.head ? <th key={place} {...span}><Blocks blocks={cell.c} /></th> : <td key={place} {...span}><Blocks blocks={cell.c} /></td>
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  ),
  image: (block) => (
    <figure style={{ textAlign: block.align ?? 'center' }}>
      <img src={block.asset} alt={block.caption ?? ''} {...(block.w ? { width: block.w } : {})} loading="lazy" />
      {block.caption && <figcaption>{block.caption}</figcaption>}
    </figure>
  ),
  math: (block) => <div className="doc-math-row"><Formula tex={block.tex} display /></div>,
  audio: (block) => (
    <figure>
      {/* Captions would give the answers of a listening test away. */}
      <audio controls preload="none" src={block.asset}><track kind="captions" />{block.title ?? '听力材料'}</audio>
      {block.title && <figcaption>{block.title}</figcaption>}
    </figure>
  ),
  list: (block) => {
    const items = block.items.map((item, index) => <li key={index}><Blocks blocks={item} /></li>)
    const style = { listStyleType: LIST_TYPES[block.style] }
    return block.style === 'bullet' ? <ul style={style}>{items}</ul> : <ol className={`doc-list-${block.style}`} start={block.start ?? 1} style={style}>{items}</ol>
  },
  poem: (block) => <div className="doc-poem">{block.lines.map((line, index) => <p key={index}><Inlines inlines={line} /></p>)}</div>,
  dialogue: (block) => (
    <dl className="doc-dialogue">
      {block.turns.map((turn, index) => (
        <div key={index}>
          <dt>{turn.who}：</dt>
          <dd><Inlines inlines={turn.c} /></dd>
        </div>
      ))}
    </dl>
  ),
  lines: (block) => (
    <div className={block.style === 'grid' ? 'doc-grid' : 'doc-lines'} role="img" aria-label={`答题区 ${block.n} 行`}>
      {Array.from({ length: block.n }, (_, index) => <div key={index} />)}
    </div>
  ),
}

function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return blocks.map((block, index) => <Fragment key={index}>{(BLOCK[block.t] as (block: Block) => ReactNode)(block)}</Fragment>)
}

/** A rich text as learners see it; fit for paper as well. Nothing for no text. */
export function RichText({ doc }: { doc: RichDoc | null }) {
  return doc && <div className="rich-text"><Blocks blocks={doc.c} /></div>
}

/** A rich text that stands in a line, when it is one paragraph; otherwise its blocks. */
export function RichLine({ doc }: { doc: RichDoc | null }) {
  const only = doc?.c.length === 1 ? doc.c[0] : undefined
  return only?.t === 'p' ? <span className="rich-text"><Inlines inlines={only.c} /></span> : <RichText doc={doc} />
}
