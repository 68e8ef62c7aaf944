import { Alert, Button, Checkbox, Empty, Input, Segmented } from 'antd'
import { Picker } from '../../../core/field/reference.tsx'
import type { RichDoc } from '../../../core/rich-text/rich-doc.ts'
import { RichEditor } from '../../../core/rich-text/rich-editor.tsx'
import { Toolbar } from '../../../core/rich-text/toolbar.tsx'
import { useRichTools } from '../../../core/rich-text/use-rich-tools.tsx'
import { withWords } from '../../../core/field/rich-text.ts'
import { choiceLabel } from '../../../core/field/choice.ts'
import { audioAsset, imageAsset } from '../../asset/module.ts'
import type { TermAsset } from '../calls.ts'
import { ITEM_KINDS, type PackItem } from '../pack-item.ts'
import { speakersOf, TERM_KINDS, type PackTerm, type TermKind } from '../pack-term.ts'

interface Props { term: PackTerm; items: readonly PackItem[]; assets: readonly TermAsset[]; problem: string | undefined; onTerm: (term: PackTerm) => void; onItems: (items: PackItem[]) => void }

/** Items that use a term; those that speak of it without using it are offered. */
function Uses({ term, items, onItems }: Pick<Props, 'term' | 'items' | 'onItems'>) {
  const speakers = new Set(speakersOf(term, items).map(({ key }) => key))
  const set = (keys: ReadonlySet<string>, on: boolean) => onItems(items.map((item) => {
    if (!keys.has(item.key)) return item
    const others = (item.terms ?? []).filter((key) => key !== term.key)
    return { ...item, terms: on ? [...others, term.key] : others }
  }))
  if (items.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="资料包还没有内容" />
  return (
    <>
      {speakers.size > 0 && <Alert type="info" showIcon title={`${speakers.size} 项内容的正文提到它，还没有关联`} action={<Button size="small" onClick={() => set(speakers, true)}>全部关联</Button>} />}
      <ul className="plain term-uses">{items.map((item) => (
        <li key={item.key}><Checkbox checked={item.terms?.includes(term.key) ?? false} onChange={(event) => set(new Set([item.key]), event.target.checked)}>{item.title || '未命名'}</Checkbox> <small className="note">{item.term || '未分课次'} · {choiceLabel(ITEM_KINDS, item.kind)}{speakers.has(item.key) ? ' · 正文提到' : ''}</small></li>
      ))}</ul>
    </>
  )
}

/** One term: what it is, what it means, how it sounds and looks, and what uses it. */
export function TermForm({ term, items, assets, problem, onTerm, onItems }: Props) {
  const { active, tools, putImage, openFormula, dialogs } = useRichTools()
  const set = (part: Partial<PackTerm>) => onTerm({ ...term, ...part })
  const asset = (id: number | null | undefined) => assets.find((one) => one.id === id)
  const [sound, picture] = [asset(term.sound_id), asset(term.picture_id)]
  return (
    <div className="term-form">
      <Segmented<TermKind> aria-label="词条类型" value={term.kind} options={[...TERM_KINDS]} onChange={(kind) => set({ kind })} />
      <div className="term-field"><span>词条</span><Input aria-label="词条" maxLength={60} status={problem ? 'error' : ''} value={term.word} onChange={(event) => set({ word: event.target.value })} />{problem && <small role="alert" className="term-problem">{problem}</small>}</div>
      <div className="term-field"><span>释义</span>
        <div className="rich-field">
          <Toolbar editor={active} onFormula={openFormula} onImage={putImage} />
          <RichEditor key={term.key} label="释义" value={term.explain ?? null} onChange={(doc: RichDoc | null) => set({ explain: doc && withWords(doc) })} placeholder="请填写释义" onFormula={openFormula} {...tools} />
          {dialogs}
        </div>
      </div>
      <div className="term-field"><span>例句或例题</span><Input.TextArea aria-label="例句或例题" rows={2} maxLength={300} showCount value={term.example ?? ''} onChange={(event) => set({ example: event.target.value })} /></div>
      <div className="term-media">
        <div className="term-field"><span>声音</span><Picker target={audioAsset} label="声音素材" id={undefined} value={term.sound_id ?? undefined} onChange={(sound_id) => set({ sound_id })} />{sound && <audio controls preload="none" src={sound.url} aria-label={`${term.word}的声音`}><track kind="captions" /></audio>}</div>
        <div className="term-field"><span>图片</span><Picker target={imageAsset} label="图片素材" id={undefined} value={term.picture_id ?? undefined} onChange={(picture_id) => set({ picture_id })} />{picture && <img src={picture.url} alt={picture.name} />}</div>
      </div>
      {[sound, picture].map((one) => (one && one.health.tone === 'bad' ? <Alert key={one.id} type="warning" showIcon title={`「${one.name}」${one.health.words}`} /> : null))}
      <div className="term-field"><span>用到它的内容</span><Uses term={term} items={items} onItems={onItems} /></div>
    </div>
  )
}
