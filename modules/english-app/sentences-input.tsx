import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { FileInput } from '../../core/field/file-input.tsx'
import type { InputProps } from '../../core/resource/present.tsx'
import { MOST_SENTENCES, type Sentence } from './sentence.ts'
import { englishWord } from './word.ts'

const { uk_audio } = englishWord.fields
const audioField = { ...uk_audio, label: '例句音' } as Parameters<typeof FileInput>[0]['field']

/** Sentences that hold the word, each with its recording. */
export function SentencesInput({ value, onChange, values }: InputProps<Sentence[] | null>) {
  const list = value ?? []
  const set = (at: number, part: Partial<Sentence>) => onChange?.(list.map((one, place) => (place === at ? { ...one, ...part } : one)))
  return (
    <div className="sentences-input">
      {list.map((sentence, at) => (
        // Sentences are told apart by their place while they are typed.
        <div key={at} className="sentence-row">
          <Input value={sentence.en} onChange={(event) => set(at, { en: event.target.value })} placeholder={`含有「${String(values['headword'] ?? '单词')}」的英文例句`} aria-label={`第 ${at + 1} 个例句`} />
          <Input value={sentence.cn} onChange={(event) => set(at, { cn: event.target.value })} placeholder="中文译文" aria-label={`第 ${at + 1} 个例句的译文`} />
          <FileInput name="sentence_audio" field={audioField} value={sentence.audio} onChange={(audio) => set(at, { audio: typeof audio === 'string' ? audio : null })} values={values} />
          <Button type="text" icon={<DeleteOutlined />} aria-label={`移除第 ${at + 1} 个例句`} onClick={() => onChange?.(list.toSpliced(at, 1))} />
        </div>
      ))}
      {list.length < MOST_SENTENCES && <Button icon={<PlusOutlined />} onClick={() => onChange?.([...list, { en: '', cn: '', audio: null }])}>添加例句</Button>}
    </div>
  )
}
