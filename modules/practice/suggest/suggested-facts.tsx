import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { plainText } from '../../../core/rich-text/rich-doc.ts'
import { DIFFICULTIES, editorPath } from '../bank/practice.ts'
import type { Written } from '../edit/calls.ts'
import { tidy } from '../edit/written.ts'
import { useKeys } from '../ui/use-keys.tsx'
import { suggestFacts } from './calls.ts'

/** How long the typing rests before the bank is asked, in milliseconds. */
const REST = 1500
const SHORTEST = 8

interface Props {
  level: number
  written: Written
  exceptId: number | undefined
  onChange: (part: Partial<Written>) => void
}

/** Knowledge points and difficulty as the nearest questions have them, with these as the reason. Alt and L takes the first. */
export function SuggestedFacts({ level, written, exceptId, onChange }: Props) {
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Written>()
  useEffect(() => {
    const wait = window.setTimeout(() => setAsked(written), REST)
    return () => window.clearTimeout(wait)
  }, [written])
  const enough = asked !== undefined && plainText(asked.content.stem).length >= SHORTEST && asked.labels.length === 0
  const { data } = useQuery({
    queryKey: ['practice-suggested', asked?.facts.subject_id, exceptId, enough ? JSON.stringify([asked.content.stem, asked.content.options, asked.content.analysis]) : ''], enabled: enough, staleTime: 60_000, placeholderData: keepPreviousData,
    queryFn: ({ signal }) => (asked ? call(suggestFacts, { content: tidy(asked.content), cat_id: asked.facts.subject_id, ...(exceptId !== undefined && { except_id: exceptId }) }, { signal, quiet: true, keepEmpty: true }) : { labels: [], difficulty: null, sure: false }),
  })
  const labels = enough && written.labels.length === 0 ? (data?.labels ?? []) : []
  const difficulty = data?.difficulty ?? null
  const accept = (id: number) => onChange({ labels: [{ id, main: true }], ...(written.facts.difficulty === null && difficulty !== null && { facts: { ...written.facts, difficulty } }) })
  const first = labels[0]
  useKeys(first ? { 'alt+l': () => accept(first.id) } : {})
  if (!first) return null
  const words = written.facts.difficulty === null ? DIFFICULTIES.find(({ value }) => value === difficulty)?.label : undefined
  return (
    <section className="rail-suggested" aria-label="建议的知识点">
      <p className="note">建议的知识点{words ? `和难度（${words}）` : ''}，Alt + L 采用第一个</p>
      {labels.map((label) => (
        <div key={label.id}>
          <Button size="small" type={label.id === first.id && data?.sure ? 'primary' : 'default'} title={label.path.join(' / ')} onClick={() => accept(label.id)}>{label.path.at(-1)}</Button>
          <span className="note">依据 {label.neighbours.map(({ id, no, pool }) => <Button key={id} size="small" type="link" onClick={() => void navigate(editorPath(level, pool, id))}>{no}</Button>)}</span>
        </div>
      ))}
    </section>
  )
}
