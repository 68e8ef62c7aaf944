import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Empty, InputNumber, Segmented, Select, Skeleton, Space } from 'antd'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { doubtfulAnswers, setMark, writtenAnswers, writtenQuestions, type Answer, type Marking } from './calls.ts'
import { CardPicture } from './picture.tsx'

/** One answer after another, each with its picture. */
function Pictures({ answer }: { answer: Answer }) {
  return <div className="marking-cut">{answer.places.map(({ page_id, box }, at) => <CardPicture key={at} pageId={page_id} box={box} label={`考号 ${answer.number ?? ''} 第 ${answer.label} 题`} />)}</div>
}

interface Work {
  marking: Marking
  onChanged: () => void
}

const useMarks = (onDone: () => void) => useMutation({
  mutationFn: ({ answer, ...mark }: { answer: Answer; letters?: string[]; score?: number }) => call(setMark, mark, { params: { id: answer.page_id, question: answer.question } }),
  onSuccess: onDone,
})

/** Choices that were not read for certain: letters choose, Enter keeps. */
export function DoubtfulTab({ marking, onChanged }: Work) {
  const client = useQueryClient()
  const { data, error } = useQuery({ queryKey: ['marking-doubtful', marking.id], staleTime: 0, queryFn: ({ signal }) => call(doubtfulAnswers, undefined, { params: { id: marking.id }, signal }) })
  const [at, setAt] = useState(0)
  const [picked, setPicked] = useState<{ key: string; letters: string[] }>()
  const frame = useRef<HTMLDivElement>(null)
  const save = useMarks(() => {
    void client.invalidateQueries({ queryKey: ['marking-doubtful', marking.id] })
    onChanged()
  })
  const items = data?.items ?? []
  const answer = items[Math.min(at, items.length - 1)]
  const key = answer && `${answer.page_id} ${answer.question}`
  useEffect(() => frame.current?.focus(), [key])
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active />
  if (!answer) return <Empty image={null} description="没有存疑的填涂" />
  const letters = picked?.key === key ? picked?.letters ?? [] : answer.letters ?? []
  const toggle = (letter: string) => setPicked({ key: key ?? '', letters: letters.includes(letter) ? letters.filter((one) => one !== letter) : answer.several ? [...letters, letter].sort() : [letter] })
  const press = (event: KeyboardEvent) => {
    const letter = event.key.toUpperCase()
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Enter' && event.target === event.currentTarget && !save.isPending && marking.state === 'open') save.mutate({ answer, letters })
    else if (answer.choices.includes(letter)) toggle(letter)
    else if (letter === 'N') setAt((at + 1) % items.length)
    else return
    event.preventDefault()
  }
  return (
    // The keys of this work; its buttons do the same.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions
    <div ref={frame} className="marking-work" tabIndex={0} role="group" aria-label="核对填涂" onKeyDown={press}>
      <p aria-live="polite">还有 {data.total} 处 · 考号 {answer.number} · 第 {answer.label} 题{answer.several && '（可多选）'}</p>
      <Pictures answer={answer} />
      <Space wrap>
        {answer.choices.map((letter) => <Button key={letter} type={letters.includes(letter) ? 'primary' : 'default'} aria-pressed={letters.includes(letter)} onClick={() => toggle(letter)}>{letter}</Button>)}
        <Button onClick={() => setPicked({ key: key ?? '', letters: [] })}>未填涂</Button>
        <Button type="primary" disabled={marking.state !== 'open'} loading={save.isPending} onClick={() => save.mutate({ answer, letters })}>确认（{letters.join('') || '未填涂'}）</Button>
        <Button onClick={() => setAt((at + 1) % items.length)}>下一处</Button>
      </Space>
      <p className="marking-keys">按 {answer.choices[0]}–{answer.choices.at(-1)} 选择，回车确认，N 下一处</p>
    </div>
  )
}

/** Points for what is written, typed one after another. */
export function WrittenTab({ marking, onChanged }: Work) {
  const client = useQueryClient()
  const questions = useQuery({ queryKey: ['marking-written', marking.id], staleTime: 0, queryFn: ({ signal }) => call(writtenQuestions, undefined, { params: { id: marking.id }, signal }) })
  const [chosen, setChosen] = useState<string>()
  const [all, setAll] = useState<'left' | 'all'>('left')
  const list = questions.data?.items ?? []
  const keyOf = (one: { card_id: number; question: number }) => `${one.card_id} ${one.question}`
  const question = list.find((one) => keyOf(one) === chosen) ?? list.find(({ left }) => left > 0) ?? list[0]
  const answers = useQuery({
    queryKey: ['marking-answers', marking.id, question?.card_id, question?.question], enabled: question !== undefined, staleTime: 0,
    queryFn: ({ signal }) => call(writtenAnswers, { card_id: question?.card_id ?? 0, question: question?.question ?? 0 }, { params: { id: marking.id }, signal }),
  })
  const [at, setAt] = useState(0)
  const [score, setScore] = useState<number | null>(null)
  const field = useRef<{ focus: () => void }>(null)
  const save = useMarks(() => {
    setScore(null)
    if (all === 'all') setAt((now) => now + 1)
    void client.invalidateQueries({ queryKey: ['marking-answers', marking.id] })
    void client.invalidateQueries({ queryKey: ['marking-written', marking.id] })
    onChanged()
  })
  const items = (answers.data?.items ?? []).filter((one) => all === 'all' || one.score === null)
  const answer = items[Math.min(at, items.length - 1)]
  const shown = answer && `${answer.page_id} ${answer.question}`
  useEffect(() => field.current?.focus(), [shown])
  if (questions.error) return <Alert type="error" showIcon title={questions.error.message} />
  if (!questions.data) return <Skeleton active />
  if (!question) return <Empty image={null} description="这份答题卡没有主观题的作答" />
  const give = () => {
    if (answer && score !== null && !save.isPending) save.mutate({ answer, score })
  }
  return (
    <div className="marking-work">
      <Space wrap>
        <Select aria-label="题号" className="marking-choice" value={keyOf(question)} onChange={(value) => { setChosen(value); setAt(0) }} options={list.map((one) => ({ value: keyOf(one), label: `第 ${one.label} 题（${one.max} 分）${one.left > 0 ? ` 余 ${one.left}` : ' 已阅完'}` }))} />
        <Segmented value={all} onChange={(value) => { setAll(value); setAt(0) }} options={[{ value: 'left' as const, label: '未阅' }, { value: 'all' as const, label: '全部' }]} />
      </Space>
      {answers.isLoading && <Skeleton active />}
      {answer ? (
        <>
          <p aria-live="polite">考号 {answer.number} · 第 {answer.label} 题 · 余 {question.left} 份{answer.score !== null && ` · 已给 ${answer.score} 分`}</p>
          <Pictures answer={answer} />
          <Space wrap>
            <InputNumber ref={(node) => { field.current = node }} aria-label="给分" min={0} max={answer.max} step={0.5} value={score} suffix={`/ ${answer.max} 分`} onChange={setScore} onPressEnter={give} disabled={marking.state !== 'open'} />
            <Button type="primary" disabled={score === null || marking.state !== 'open'} loading={save.isPending} onClick={give}>给分</Button>
            <Button disabled={marking.state !== 'open'} onClick={() => save.mutate({ answer, score: 0 })}>零分</Button>
            <Button disabled={marking.state !== 'open'} onClick={() => save.mutate({ answer, score: answer.max })}>满分</Button>
            <Button onClick={() => setAt((at + 1) % items.length)}>下一份</Button>
          </Space>
          <p className="marking-keys">输入分数后按回车，自动到下一份</p>
        </>
      ) : answers.data && <Empty image={null} description="本题已阅完" />}
    </div>
  )
}
