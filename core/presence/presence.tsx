import { Alert } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { call } from '../endpoint/call.tsx'
import { useLive } from '../live/use-live.tsx'
import type { Resource } from '../resource/define.ts'
import { Polling, useIsFront } from '../ui/front.tsx'
import { presenceMoved, SIGN_EVERY, signPresence, type Present } from './calls.ts'

/** What this window shows of each record: a record and its form may stand side by side, and are one person. */
const open = new Map<string, { shown: number; writing: number }>()

function count(key: string, of: 'shown' | 'writing', by: 1 | -1): void {
  const now = open.get(key) ?? { shown: 0, writing: 0 }
  now[of] += by
  if (now.shown > 0) open.set(key, now)
  else open.delete(key)
}

const send = (resource: string, id: number, doing: 'look' | 'write' | 'gone') => call(signPresence, { resource, id, doing }, { quiet: true })

/** What is said of the others who have a record open. @param writing what it is called that somebody does who writes, such as 编辑 */
export const presentWords = (here: readonly Present[], writing: string): string => here.map((one) => `${one.name}${one.writes ? `正在${writing}` : '也在查看'}`).join('，')

interface Props {
  readonly resource: Pick<Resource, 'name'>
  readonly id: number
  /** Whether this person writes here. */
  readonly writes?: boolean
  readonly writing?: string
}

/** Says to others that this person has a record open, and who else has: before both have typed, not after. */
export function Presence({ resource: { name }, id, writes = false, writing = '编辑' }: Props) {
  const [here, setHere] = useState<readonly Present[]>([])
  const isFront = useIsFront()
  const key = `${name} ${id}`
  const sign = useEffectEvent(() => {
    if (document.hidden || !isFront()) return
    // Who else is here is help, not the work: where the question fails nothing is said.
    void send(name, id, (open.get(key)?.writing ?? 0) > 0 ? 'write' : 'look').then((answer) => setHere(answer.here), () => setHere([]))
  })
  useEffect(() => {
    count(key, 'shown', 1)
    sign()
    return () => {
      count(key, 'shown', -1)
      // A farewell that is lost costs nothing: who gives no sign is taken to be gone.
      if (!open.has(key)) void send(name, id, 'gone').catch(() => undefined)
    }
  }, [name, id, key])
  useEffect(() => {
    if (!writes) return
    count(key, 'writing', 1)
    sign()
    return () => {
      count(key, 'writing', -1)
      sign()
    }
  }, [key, writes])
  useLive(presenceMoved, (ids) => { if (ids === 'all' || ids.includes(id)) sign() })
  return (
    <>
      <Polling every={SIGN_EVERY * 1000} read={sign} />
      {here.length > 0 && <Alert className="form-alert" type={here.some((one) => one.writes) ? 'warning' : 'info'} showIcon title={presentWords(here, writing)} />}
    </>
  )
}
