import { Image } from 'antd'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { choiceLabel } from '../../core/field/choice.ts'
import type { Sentence } from './sentence.ts'
import { SoundButton } from './sound-button.tsx'
import { PARTS_OF_SPEECH, type englishWord } from './word.ts'
import './english.css'

type Shown = Partial<Pick<WireRow<typeof englishWord>, 'headword' | 'uk' | 'us' | 'uk_audio' | 'us_audio' | 'image' | 'meanings' | 'sentences' | 'syllables' | 'tip'>>

/** A word as learners see it. */
export function WordCard({ word }: { word: Shown }) {
  const sentences = (word.sentences ?? []) as readonly Sentence[]
  return (
    <article className="word-card" aria-label="学习卡片预览">
      {word.image && <Image src={word.image} width={120} height={120} alt={word.headword ?? ''} />}
      <div>
        <h3>{word.syllables || word.headword || '单词'}</h3>
        <p className="word-ipa">
          {word.uk && <span>英 /{word.uk}/{word.uk_audio && <SoundButton url={word.uk_audio} label="播放英音" />}</span>}
          {word.us && <span>美 /{word.us}/{word.us_audio && <SoundButton url={word.us_audio} label="播放美音" />}</span>}
        </p>
        <ul>{(word.meanings ?? []).map(({ pos, cn }, at) => <li key={`${at} ${cn}`}>{pos ? <em>{choiceLabel(PARTS_OF_SPEECH, pos)}</em> : null} {cn}</li>)}</ul>
        {sentences.map(({ en, cn, audio }) => <p key={en} className="word-sentence">{en}{audio && <SoundButton url={audio} label="播放例句" />}<small>{cn}</small></p>)}
        {word.tip && <p className="word-tip">{word.tip}</p>}
      </div>
    </article>
  )
}
