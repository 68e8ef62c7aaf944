import { useEffect, useRef, useState, type FormEvent } from 'react'
import { fillPath } from '../endpoint/define.ts'
import { failureText } from '../endpoint/wire.ts'
import { answerProblems } from './answers.ts'
import { readPublicPage, type PublicAnswers, type PublicBlock, type PublicPage, type PublicQuestion } from './page.ts'
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

interface Asking {
  answers: PublicAnswers
  problems: Readonly<Record<string, string>>
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
  const key = useRef(crypto.randomUUID())
  useEffect(() => {
    send<PublicPage>(token, 'GET').then((found) => {
      document.title = found.title
      setPage(found)
    }).catch((error: Error) => setFailure(error.message))
  }, [token])
  if (!page) return <main><p className="note" role={failure ? 'alert' : 'status'}>{failure ?? '正在打开…'}</p></main>
  if (done !== undefined) return <main><article><h1>{page.title}</h1><p role="status">{done}</p></article></main>
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const found = answerProblems(page, answers)
    setProblems(found)
    setFailure(undefined)
    const [first] = Object.keys(found)
    if (first !== undefined) return document.getElementById(first)?.focus()
    setBusy(true)
    try {
      setDone((await send<{ message: string }>(token, 'POST', { answers }, key.current)).message)
    } catch (error) {
      setFailure((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  const asking: Asking = {
    answers, problems,
    change(name, value) {
      // Other answers are another intention.
      key.current = crypto.randomUUID()
      setAnswers((old) => ({ ...old, [name]: value }))
    },
  }
  return (
    <main><article>
      <h1>{page.title}</h1>
      <form noValidate onSubmit={(event) => void submit(event)}>
        {page.blocks.map((block, place) => <Block key={place} block={block} asking={asking} />)}
        {failure && <p className="bad" role="alert">{failure}</p>}
        {page.send !== undefined && <button type="submit" disabled={busy}>{page.send}</button>}
      </form>
    </article></main>
  )
}
