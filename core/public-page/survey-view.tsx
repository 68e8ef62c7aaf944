import { useState } from 'react'
import { optionsOf, pagesOf, path, surveyProblems, MOST_WORDS, type SurveyAnswers, type SurveyItem } from './survey.ts'
import './survey.css'

interface Asked { item: SurveyItem; value: readonly string[]; name: string; change: (value: string | readonly string[]) => void }

function Options({ item, value, name, change }: Asked) {
  const several = item.type === 'multi'
  const full = several && item.most !== undefined && value.length >= item.most
  return optionsOf(item).map(({ id, label }) => {
    const on = value.includes(id)
    return <label className="survey-option" key={id} data-on={on}><input type={several ? 'checkbox' : 'radio'} name={name} checked={on} disabled={!on && full} onChange={() => change(several ? (on ? value.filter((one) => one !== id) : [...value, id]) : id)} /><span>{label}</span></label>
  })
}

function Scale({ item, value, name, change }: Asked) {
  return (
    <>
      <div className="survey-scale">{optionsOf(item).map(({ id }) => <label key={id} data-on={value.includes(id)}><input type="radio" name={name} checked={value.includes(id)} onChange={() => change(id)} /><span>{id}</span></label>)}</div>
      <p className="survey-ends"><span>{item.low ?? (item.type === 'nps' ? '完全不会' : '很不满意')}</span><span>{item.high ?? (item.type === 'nps' ? '非常愿意' : '非常满意')}</span></p>
    </>
  )
}

function Matrix({ item, value, name, change }: Asked) {
  const options = optionsOf(item)
  return (
    <div className="survey-wide"><table>
      <thead><tr><th scope="col"><span className="survey-hidden">项目</span></th>{options.map(({ id, label }) => <th key={id} scope="col">{label}</th>)}</tr></thead>
      <tbody>{(item.rows ?? []).map((row) => <tr key={row.id}><th scope="row">{row.label}</th>{options.map(({ id, label }) => {
        const cell = `${row.id}:${id}`
        return <td key={id}><input type="radio" aria-label={`${row.label}：${label}`} name={`${name} ${row.id}`} checked={value.includes(cell)} onChange={() => change([...value.filter((one) => !one.startsWith(`${row.id}:`)), cell])} /></td>
      })}</tr>)}</tbody>
    </table></div>
  )
}

/** Options in an order: tapped one after the other, and moved by buttons. */
function Rank({ item, value, change }: Asked) {
  const options = optionsOf(item)
  const move = (at: number, by: number) => {
    const next = [...value]
    const [one] = next.splice(at, 1)
    if (one !== undefined) next.splice(at + by, 0, one)
    change(next)
  }
  return (
    <>
      <ol className="survey-rank">{value.map((id, at) => <li key={id}><b>{at + 1}</b><span>{options.find((one) => one.id === id)?.label}</span><button type="button" disabled={at === 0} aria-label="上移" onClick={() => move(at, -1)}>↑</button><button type="button" disabled={at === value.length - 1} aria-label="下移" onClick={() => move(at, 1)}>↓</button><button type="button" aria-label="移出" onClick={() => change(value.filter((one) => one !== id))}>×</button></li>)}</ol>
      {options.filter(({ id }) => !value.includes(id)).map(({ id, label }) => <button type="button" className="survey-add" key={id} onClick={() => change([...value, id])}>{value.length + 1}. {label}</button>)}
    </>
  )
}

const Line = ({ item, value, name, change }: Asked) => <input type="text" id={name} aria-label={item.title} maxLength={item.most ?? MOST_WORDS.fill} value={value[0] ?? ''} onChange={(event) => change(event.target.value)} />
const Words = ({ item, value, name, change }: Asked) => <textarea id={name} aria-label={item.title} rows={4} maxLength={item.most ?? MOST_WORDS.words} value={value[0] ?? ''} onChange={(event) => change(event.target.value)} />
const Day = ({ item, value, name, change }: Asked) => <input type="date" id={name} aria-label={item.title} value={value[0] ?? ''} onChange={(event) => change(event.target.value)} />

const INPUTS: Readonly<Partial<Record<SurveyItem['type'], (asked: Asked) => React.ReactNode>>> = { single: Options, multi: Options, fill: Line, words: Words, rate: Scale, nps: Scale, matrix: Matrix, rank: Rank, date: Day }

interface Props {
  items: readonly SurveyItem[]
  /** Words of the last button. */
  send: string
  busy?: boolean
  onSend: (answers: SurveyAnswers) => void
}

/** Questions page by page; who goes back and answers otherwise is asked otherwise, and what they typed elsewhere stays. */
export function SurveyView({ items, send, busy = false, onSend }: Props) {
  const [answers, setAnswers] = useState<SurveyAnswers>({})
  const [tried, setTried] = useState(false)
  const [at, setAt] = useState(0)
  const seen = path(items, answers)
  const pages = pagesOf(seen)
  const place = Math.min(at, Math.max(0, pages.length - 1))
  const page = pages[place] ?? []
  const problems = surveyProblems(items, answers)
  const here = page.filter(({ id }) => problems[id] !== undefined)
  const last = place >= pages.length - 1
  const number = new Map(seen.filter(({ type }) => type !== 'note' && type !== 'page').map(({ id }, index) => [id, index + 1]))
  const go = () => {
    if (here.length > 0) {
      setTried(true)
      const first = document.getElementById(`survey-${here[0]?.id ?? ''}`)
      first?.scrollIntoView({ block: 'center' })
      return first?.querySelector<HTMLElement>('input, textarea, button')?.focus()
    }
    setTried(false)
    if (!last) return setAt(place + 1)
    onSend(answers)
  }
  return (
    <div className="survey">
      {pages.length > 1 && <p className="survey-progress" role="status">第 {place + 1} 页<progress max={pages.length} value={place + 1} aria-label="进度" /></p>}
      {page.map((item) => {
        if (item.type === 'page') return item.title ? <h2 key={item.id}>{item.title}</h2> : null
        if (item.type === 'note') return <p key={item.id} className="survey-note">{item.title}{item.note && <><br />{item.note}</>}</p>
        const Input = INPUTS[item.type]
        const problem = tried ? problems[item.id] : undefined
        return (
          <fieldset key={item.id} id={`survey-${item.id}`} aria-invalid={problem !== undefined}>
            <legend><b>{number.get(item.id)}.</b> {item.title}{item.required && <em aria-label="必答"> *</em>}{item.type === 'multi' && <small>（多选{item.most !== undefined && `，最多 ${item.most} 项`}）</small>}{item.type === 'rank' && <small>（依次点选排序）</small>}</legend>
            {item.note && <p className="survey-note">{item.note}</p>}
            {Input && <Input item={item} name={`answer ${item.id}`} value={[answers[item.id] ?? []].flat()} change={(value) => setAnswers((old) => ({ ...old, [item.id]: value }))} />}
            {problem && <p className="survey-bad" role="alert">{problem}</p>}
          </fieldset>
        )
      })}
      <div className="survey-buttons">
        {place > 0 && <button type="button" className="survey-back" onClick={() => { setTried(false); setAt(place - 1) }}>上一页</button>}
        <button type="button" className="survey-next" disabled={busy} onClick={go}>{last ? send : '下一页'}</button>
      </div>
    </div>
  )
}
