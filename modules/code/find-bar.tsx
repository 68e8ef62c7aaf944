import { Alert, Input } from 'antd'
import { useId, useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { codeEndpoints } from './calls.ts'
import { codeProblem } from './code-text.ts'
import type { CodeFamily } from './family.ts'
import { useCall } from './use-call.tsx'

/** Finds a code by the whole of it, typed or scanned; parts find nothing. What is mistyped is said before anybody is asked. */
export function FindBar({ family }: { family: CodeFamily }) {
  const id = useId()
  const [text, setText] = useState('')
  const [, setSearch] = useSearchParams()
  const { busy, problem, run, say } = useCall()
  const find = async (typed: string) => {
    const wrong = codeProblem(typed)
    if (wrong) return say(wrong)
    await run(async () => {
      const found = await call(codeEndpoints(family).find, { code: typed }, { quiet: true })
      setText('')
      setSearch((current) => {
        const next = new URLSearchParams(current)
        next.set('open', String(found.id))
        return next
      })
    })
  }
  return (
    <div className="code-find" role="search">
      <label htmlFor={id}>按完整码查找</label>
      <Input.Search id={id} value={text} maxLength={40} allowClear enterButton="查找" loading={busy} autoComplete="off" spellCheck={false} placeholder={`输入或扫描完整${family.label}`}
        {...(problem && { status: 'error' as const })} onChange={(event) => { setText(event.target.value); say(undefined) }} onSearch={(typed, _event, info) => { if (info?.source !== 'clear') void find(typed) }} />
      {problem && <Alert type="error" showIcon title={problem} role="alert" />}
    </div>
  )
}
