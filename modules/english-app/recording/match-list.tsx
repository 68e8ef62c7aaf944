import { CaretRightOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { WireRow } from '../../../core/resource/endpoints.ts'
import type { Accent } from '../calls.ts'
import type { Piece } from './cuts.ts'
import type { englishWord } from '../word.ts'

export type UnitWord = WireRow<typeof englishWord>

interface Pair { readonly word: UnitWord; readonly piece: Piece | undefined }

/** The words in their order, each with the piece that it gets; a word that was not read is left out. */
export function MatchList({ pairs, accent, chosen, left, onHear, onLeave }: { pairs: readonly Pair[]; accent: Accent; chosen: string | undefined; left: ReadonlySet<number>; onHear: (piece: Piece) => void; onLeave: (id: number, out: boolean) => void }) {
  return (
    <ol className="recording-words" aria-label="单词和片段">
      {pairs.map(({ word, piece }) => {
        const out = left.has(word.id)
        return (
          <li key={word.id} data-chosen={piece !== undefined && piece.key === chosen} data-lacking={!piece && !out}>
            <strong>{word.headword}</strong>
            {word[accent] && <span className="ipa">/{word[accent]}/</span>}
            <small>{piece ? `${piece.from.toFixed(2)}–${piece.to.toFixed(2)} 秒` : out ? '未读' : '没有片段'}</small>
            {piece && <Button type="text" size="small" icon={<CaretRightOutlined />} aria-label={`试听 ${word.headword}`} onClick={() => onHear(piece)} />}
            <Button type="text" size="small" aria-label={out ? `${word.headword} 读了` : `${word.headword} 没有读`} onClick={() => onLeave(word.id, !out)}>{out ? '读了' : '没读'}</Button>
          </li>
        )
      })}
    </ol>
  )
}
