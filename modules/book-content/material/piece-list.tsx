import { DeleteOutlined, EditOutlined } from '@ant-design/icons'
import { Button, Empty, InputNumber, Tag, Tooltip } from 'antd'
import { RichLine } from '../../../core/rich-text/rich-text.tsx'
import { SortList } from '../../practice/door.tsx'
import { MAX_LINES, numbersOf, type Piece } from './pieces.ts'
import type { MaterialEditing } from './use-material.tsx'

interface Props {
  editing: MaterialEditing
  editable: boolean
  onWords: (piece: Piece) => void
}

/** What a piece is called where it is moved. */
const nameOf = (piece: Piece, no: string | undefined) => (piece.kind === 'practice' ? `第 ${no ?? '?'} 题` : piece.text.slice(0, 20))

/** The pieces in their order: moved, cut into pages, given room to write. What is removed comes back by Ctrl Z. */
export function PieceList({ editing: { sheet, cards, change }, editable, onWords }: Props) {
  const { pieces } = sheet
  const numbers = numbersOf(pieces, (id) => cards.get(id)?.content.children.length ?? 1)
  const put = (piece: Piece) => change({ pieces: pieces.map((one) => (one.key === piece.key ? piece : one)) })
  if (pieces.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={editable ? '添加试题、标题或文字' : '还没有内容'} />
  return (
    <SortList items={pieces.map((piece) => ({ id: piece.key, name: nameOf(piece, String(numbers.get(piece.key)?.from ?? '')), piece }))} onChange={(next) => { if (editable) change({ pieces: next.map(({ piece }) => piece) }) }}>
      {({ piece }) => {
        const { key, kind, ref_id, text, page, lines } = piece
        const card = cards.get(ref_id)
        const place = numbers.get(key)
        const name = nameOf(piece, String(place?.from ?? ''))
        return (
          <span className="bc-piece" data-kind={kind}>
            <span className="bc-piece-words">
              {kind === 'practice' ? <><b className="figure">{place && (place.from === place.to ? place.from : `${place.from}～${place.to}`)}．</b>{card ? <RichLine doc={card.content.stem} /> : '试题已被删除，请移除'}</> : kind === 'heading' ? <b>{text}</b> : <span>{text}</span>}
            </span>
            <span className="bc-piece-tools">
              {card && card.latest !== card.version_no && <Tag color="warning">有新版本</Tag>}
              {page && <Tag>另起一页</Tag>}
              {kind === 'practice' && (editable ? <InputNumber size="small" className="bc-lines" min={0} max={MAX_LINES} precision={0} suffix="行" aria-label={`${name} 留白行数`} value={lines} onChange={(value) => put({ ...piece, lines: value ?? 0 })} /> : lines > 0 && <small>{lines} 行</small>)}
              {editable && piece !== pieces[0] && <Button size="small" type="text" onClick={() => put({ ...piece, page: !page })} aria-label={`${name} ${page ? '接上一页' : '另起一页'}`}>{page ? '接上页' : '分页'}</Button>}
              {editable && kind !== 'practice' && <Tooltip title="改文字"><Button size="small" type="text" icon={<EditOutlined />} aria-label={`修改 ${name}`} onClick={() => onWords(piece)} /></Tooltip>}
              {editable && <Tooltip title="移除"><Button size="small" type="text" icon={<DeleteOutlined />} aria-label={`移除 ${name}`} onClick={() => change({ pieces: pieces.filter((one) => one.key !== key) })} /></Tooltip>}
            </span>
          </span>
        )
      }}
    </SortList>
  )
}
