import { useQuery } from '@tanstack/react-query'
import { Button, Image, Modal, Radio, Space } from 'antd'
import { useState, type ReactNode } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { EXAM_REGIONS, INVOKING_PRODUCTS } from '../../reference/module.ts'
import { DIFFICULTIES } from '../bank/practice.ts'
import { EXERCISE_TYPES, GAOKAO_TYPES, OPTION_LAYOUTS, SOURCES, TYPES } from '../content/question.ts'
import { selectLabels } from '../label/calls.ts'
import { selectCatalogs } from '../textbook/calls.ts'
import { useSubjects } from '../ui/use-practice.tsx'
import { RichText } from '../../../core/rich-text/rich-text.tsx'
import { QuestionView } from '../content/render.tsx'
import type { RichDoc } from '../../../core/rich-text/rich-doc.ts'
import type { Written } from './calls.ts'
import { canonical } from '../../../core/rich-text/canonical.ts'
import { changedParts, partOf, PARTS, withPart, type PartName } from './written.ts'

/** Words of the parts that are kept as numbers or names. */
const CHOICES: Partial<Record<PartName, readonly { value: number | string; label: string }[]>> = {
  type: TYPES, option_layout: OPTION_LAYOUTS, difficulty: DIFFICULTIES, source: SOURCES, gaokao_type: GAOKAO_TYPES, exercise_type: EXERCISE_TYPES,
  exam_region_id: EXAM_REGIONS.map(({ id, name }) => ({ value: id, label: name })), products: INVOKING_PRODUCTS,
}

function LabelNames({ labels }: { labels: Written['labels'] }) {
  const ids = labels.map(({ id }) => id)
  const { data } = useQuery({ queryKey: ['select-labels', ids], staleTime: 300_000, queryFn: ({ signal }) => call(selectLabels, { ids: ids.map(String) }, { signal }) })
  return <>{(data?.labels ?? []).map(({ id, name }) => (labels.some((label) => label.id === id && label.main) ? `${name}（主）` : name)).join('、')}</>
}

function ChapterNames({ ids }: { ids: readonly number[] }) {
  const { data } = useQuery({ queryKey: ['select-catalogs', ids], staleTime: 300_000, queryFn: ({ signal }) => call(selectCatalogs, { ids: ids.map(String) }, { signal }) })
  return <>{(data?.catalogs ?? []).map(({ name, above }) => [above[1], name].filter(Boolean).join(' ')).join('、')}</>
}

const SubjectName = ({ id }: { id: number }) => <>{useSubjects().find((subject) => subject.id === id)?.name ?? id}</>

/** Shows one part of a question: texts as they look, facts as words. */
export function PartView({ written, name }: { written: Written; name: PartName }): ReactNode {
  const value = partOf(written, name)
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return <span className="none">空</span>
  if (name === 'options' || name === 'answer' || name === 'children') {
    const { content } = written
    return <QuestionView content={{ ...content, stem: null, analysis: { hint: null, solution: null, comment: null, pitfall: null }, ...(name !== 'children' && { children: [] }) }} answer={name === 'answer' ? 'shown' : 'none'} />
  }
  if (typeof value === 'object' && 't' in value) return <RichText doc={value as RichDoc} />
  if (name === 'labels') return <LabelNames labels={written.labels} />
  if (name === 'chapter_ids') return <ChapterNames ids={written.chapter_ids} />
  if (name === 'subject_id') return <SubjectName id={written.facts.subject_id} />
  if (name === 'scans') return <Image.PreviewGroup><Space wrap>{written.facts.scans.map((url) => <Image key={url} src={url} width={64} height={48} className="thumb" alt="原题图片" />)}</Space></Image.PreviewGroup>
  const words = CHOICES[name]
  if (words) return <>{[value].flat().map((one) => words.find((choice) => choice.value === one)?.label ?? String(one as string | number)).join('、')}</>
  return <>{Array.isArray(value) ? value.join('、') : String(value as string | number)}</>
}

interface Props {
  sentence: string
  /** The question when this person began, as they left it, and as the colleague saved it. */
  base: Written
  mine: Written
  theirs: Written
  onCancel: () => void
  onMerge: (merged: Written) => void
}

/** Somebody else saved first: shows part by part what each wrote, and lets the person choose. Nothing typed is lost. */
export function MergeWritten({ sentence, base, mine, theirs, onCancel, onMerge }: Props) {
  const my = changedParts(base, mine)
  const their = changedParts(base, theirs)
  const conflicts = my.filter((name) => their.includes(name) && canonical(partOf(mine, name)) !== canonical(partOf(theirs, name)))
  const [choice, setChoice] = useState<Partial<Record<PartName, 'mine' | 'theirs'>>>({})
  const pick = (name: PartName) => choice[name] ?? (my.includes(name) ? 'mine' : 'theirs')
  const merge = () => onMerge(my.filter((name) => pick(name) === 'mine').reduce((merged, name) => withPart(merged, name, mine), theirs))
  return (
    <Modal open title={sentence} width={900} onCancel={onCancel} footer={[<Button key="back" onClick={onCancel}>返回继续编辑</Button>, <Button key="save" type="primary" onClick={merge}>按所选内容保存</Button>]}>
      <p>{conflicts.length > 0 ? `有 ${conflicts.length} 处两边都改了，请选择保留哪一个。` : '两边改的是不同的地方，可以直接合并保存。'}</p>
      <div className="merge-list">
        {[...new Set([...my, ...their])].map((name) => (
          <section key={name} aria-label={PARTS[name]}>
            <h4>{PARTS[name]}{conflicts.includes(name) && <span className="problem">（冲突）</span>}</h4>
            <div className="merge-sides">
              <div>{my.includes(name) ? <Radio checked={pick(name) === 'mine'} onChange={() => setChoice({ ...choice, [name]: 'mine' })}>我的修改</Radio> : <span className="note">我没有改</span>}<PartView written={mine} name={name} /></div>
              <div><Radio checked={pick(name) === 'theirs'} disabled={!my.includes(name)} onChange={() => setChoice({ ...choice, [name]: 'theirs' })}>对方的内容</Radio><PartView written={theirs} name={name} /></div>
            </div>
          </section>
        ))}
      </div>
    </Modal>
  )
}
