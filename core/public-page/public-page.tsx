import { useEffect, useRef, useState, type FormEvent } from 'react'
import { fillPath } from '../endpoint/define.ts'
import { failureText } from '../endpoint/wire.ts'
import { answerProblems } from './answers.ts'
import { readPublicPage, type PublicAnswers, type PublicBlock, type PublicPage, type PublicQuestion } from './page.ts'
import { SurveyView } from './survey-view.tsx'
import './public-page.css'

/** Makes a call without anything of the console's: its bundle is many times what this page needs. */
async function send<Body>(token: string, method: 'GET' | 'POST', body?: unknown, key = ''): Promise<Body> {
  const answer = await fetch(fillPath(readPublicPage.path, { token }), {
    method, signal: AbortSignal.timeout(30_000),
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json', 'idempotency-key': key } }),
  }).catch(() => undefined)
  if (!answer) throw new Error('网络连接失败，请检查网络后重试')
  const content: unknown = await answer.json().catch(() => undefined)
  if (!answer.ok) throw new Error(failureText(content))
  return content as Body
}

/** Which browser this is, for pages that somebody answers once; null where nothing is kept. */
function visitor(): string | null {
  try {
    const known = localStorage.getItem('visitor') ?? crypto.randomUUID()
    localStorage.setItem('visitor', known)
    return known
  } catch {
    return null
  }
}

interface Asking {
  answers: PublicAnswers
  problems: Readonly<Record<string, string>>
  send: string
  busy: boolean
  submit(answers: PublicAnswers): void
  change(key: string, value: PublicAnswers[string]): void
}

/** A question with its input; what is wrong stands below it. */
function Question({ question, asking }: { question: PublicQuestion; asking: Asking }) {
  const { key, label, required } = question
  const given = asking.answers[key]
  const problem = asking.problems[key]
  const wrong = problem !== undefined && <p className="bad" id={`${key}-bad`}>{problem}</p>
  const marks = { 'aria-invalid': problem !== undefined, ...(problem !== undefined && { 'aria-describedby': `${key}-bad` }) }
  if (question.kind === 'ask') {
    const shared = { id: key, value: typeof given === 'string' ? given : '', maxLength: question.max, onChange: (event: { target: { value: string } }) => asking.change(key, event.target.value), ...marks }
    return (
      <>
        <label className={required ? 'label must' : 'label'} htmlFor={key}>{label}</label>
        {(question.lines ?? 1) > 1 ? <textarea rows={question.lines} {...shared} /> : <input type="text" {...shared} />}
        {wrong}
      </>
    )
  }
  const chosen = [given ?? []].flat()
  const toggle = (option: string) => asking.change(key, question.several ? (chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option]) : option)
  return (
    <fieldset {...marks}>
      <legend className={required ? 'must' : undefined}>{label}</legend>
      {question.options.map((option) => (
        <label className="option" key={option}><input type={question.several ? 'checkbox' : 'radio'} name={key} checked={chosen.includes(option)} onChange={() => toggle(option)} />{option}</label>
      ))}
      {wrong}
    </fieldset>
  )
}

const blocks: { readonly [Kind in PublicBlock['kind']]: (props: { block: Extract<PublicBlock, { kind: Kind }>; asking: Asking }) => React.ReactNode } = {
  text: ({ block }) => <p>{block.text}</p>,
  heading: ({ block }) => <h2>{block.text}</h2>,
  facts: ({ block }) => <dl>{block.facts.flatMap(({ label, value }) => [<dt key={`${label}t`}>{label}</dt>, <dd key={`${label}d`}>{value}</dd>])}</dl>,
  table: ({ block }) => (
    <div className="wide"><table>
      <thead><tr>{block.columns.map((title) => <th key={title} scope="col">{title}</th>)}</tr></thead>
      <tbody>{block.rows.map((row, line) => <tr key={line}>{row.map((cell, place) => <td key={place}>{cell}</td>)}</tr>)}</tbody>
    </table></div>
  ),
  // Of what leads elsewhere only https is a link.
  link: ({ block }) => <p>{/^(https:\/\/|\/(?!\/))/.test(block.href) ? <a href={block.href} rel="noreferrer">{block.label}</a> : block.label}</p>,
  ask: ({ block, asking }) => <Question question={block} asking={asking} />,
  choose: ({ block, asking }) => <Question question={block} asking={asking} />,
  survey: ({ block, asking }) => <SurveyView items={block.items} send={asking.send} busy={asking.busy} onSend={asking.submit} />,
}

function Block({ block, asking }: { block: PublicBlock; asking: Asking }) {
  const View = blocks[block.kind] as (props: { block: PublicBlock; asking: Asking }) => React.ReactNode
  return <View block={block} asking={asking} />
}

/** A page that somebody opens by a link, without an account. What was typed stays when it could not be sent. */
export function PublicPageView({ token }: { token: string }) {
  const [page, setPage] = useState<PublicPage>()
  const [failure, setFailure] = useState<string>()
  const [answers, setAnswers] = useState<PublicAnswers>({})
  const [problems, setProblems] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState<string>()
  const key = useRef('')
  const sent = useRef('')
  const began = useRef(0)
  useEffect(() => {
    began.current = Date.now()
    send<PublicPage>(token, 'GET').then((found) => {
      document.title = found.title
      setPage(found)
    }).catch((error: Error) => setFailure(error.message))
  }, [token])
  if (!page) return <main><p className="note" role={failure ? 'alert' : 'status'}>{failure ?? '正在打开…'}</p></main>
  if (done !== undefined) return <main><article><h1>{page.title}</h1><p role="status">{done}</p></article></main>
  const deliver = async (all: PublicAnswers) => {
    setFailure(undefined)
    setBusy(true)
    // Other answers are another intention; the same ones are sent again under the same key.
    const words = JSON.stringify(all)
    if (sent.current !== words) key.current = crypto.randomUUID()
    sent.current = words
    try {
      const who = visitor()
      setDone((await send<{ message: string }>(token, 'POST', { answers: all, seconds: Math.min(86_400, Math.round((Date.now() - began.current) / 1000)), ...(who !== null && { visitor: who }) }, key.current)).message)
    } catch (error) {
      setFailure((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = answerProblems(page, answers)
    setProblems(found)
    const [first] = Object.keys(found)
    if (first !== undefined) return document.getElementById(first)?.focus()
    void deliver(answers)
  }
  const asking: Asking = {
    answers, problems, busy, send: page.send ?? '提交',
    submit: (all) => void deliver(all),
    change(name, value) {
      setAnswers((old) => ({ ...old, [name]: value }))
    },
  }
  return (
    <main><article>
      <h1>{page.title}</h1>
      <form noValidate onSubmit={submit}>
        {page.blocks.filter(({ kind }) => page.closed === undefined || kind !== 'survey').map((block, place) => <Block key={place} block={block} asking={asking} />)}
        {page.closed !== undefined && <p role="status">{page.closed}</p>}
        {failure && <p className="bad" role="alert">{failure}</p>}
        {page.send !== undefined && page.closed === undefined && !page.blocks.some(({ kind }) => kind === 'survey') && <button type="submit" disabled={busy}>{page.send}</button>}
      </form>
    </article></main>
  )
}
