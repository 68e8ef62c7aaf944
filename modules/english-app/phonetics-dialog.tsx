import { useQuery } from '@tanstack/react-query'
import { Alert, AutoComplete, Checkbox, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { CallError } from '../../core/endpoint/wire.ts'
import { useCloseGuard } from '../../core/form/close-guard.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { confirmPhonetics, IPA_SOURCES, proposePhonetics, type ProposedWord } from './calls.ts'
import { wrongSymbol } from './ipa.ts'
import type { englishUnit } from './unit.ts'
import './english.css'

type Way = 'uk' | 'us'
const WAYS = [{ way: 'uk', label: '英式音标' }, { way: 'us', label: '美式音标' }] as const
type Typed = Readonly<Partial<Record<Way, string>>>

/** What stands in a field before anybody has typed: what the word has, else what is most likely. */
const startOf = (word: ProposedWord, way: Way) => word[way] ?? word.proposal[way][0] ?? ''

/** Readings to choose from: what stands there, and what is proposed. */
const readingsOf = (word: ProposedWord, way: Way) => [...new Set([...(word[way] ? [word[way]] : []), ...word.proposal[way]])].map((value) => ({ value, label: `/${value}/${value === word[way] ? ' 现有' : ''}` }))

/** 核对音标: what dictionary and spelling propose for the words of a unit, or for a single word. Only what a person has ticked is written. @param of what the row is */
export function PhoneticsDialog({ row, of = 'unit_id', reload, onClose }: Omit<RowDialogProps, 'row'> & { row: Pick<WireRow<typeof englishUnit>, 'id' | 'name'>; of?: 'unit_id' | 'word_id' }) {
  const said = useSaid()
  const [typed, setTyped] = useState<ReadonlyMap<number, Typed>>(new Map())
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const [wrong, setWrong] = useState<ReadonlyMap<number, string>>(new Map())
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const { data, error } = useQuery({ queryKey: ['english proposals', of, row.id], queryFn: ({ signal }) => call(proposePhonetics, { [of]: String(row.id) }, { signal, quiet: true }), staleTime: 0, refetchOnWindowFocus: false })
  const words = data?.items ?? []
  const valueOf = (word: ProposedWord, way: Way) => typed.get(word.id)?.[way] ?? startOf(word, way)
  const close = useCloseGuard(ticked.size > 0 || typed.size > 0, '核对中的音标', onClose)
  const tick = (ids: readonly number[], on: boolean) => setTicked(on ? new Set([...ticked, ...ids]) : new Set([...ticked].filter((id) => !ids.includes(id))))
  const sure = words.filter(({ proposal }) => proposal.source === 'dictionary').map(({ id }) => id)
  const save = async () => {
    const chosen = words.filter(({ id }) => ticked.has(id))
    const found = new Map(chosen.flatMap((word) => {
      const bad = WAYS.map(({ way, label }) => {
        const value = valueOf(word, way).trim()
        const symbol = wrongSymbol(value)
        return value === '' ? `请填写${label}` : symbol === undefined ? undefined : `「${symbol}」不是 48 个音标中的符号`
      }).find(Boolean)
      return bad === undefined ? [] : [[word.id, bad] as const]
    }))
    setWrong(found)
    if (found.size > 0) return setProblem(`有 ${found.size} 个音标需要修改`)
    setBusy(true)
    setProblem(undefined)
    try {
      const { confirmed, undo } = await call(confirmPhonetics, { words: chosen.map((word) => ({ id: word.id, rev: word.rev, uk: valueOf(word, 'uk').trim(), us: valueOf(word, 'us').trim() })) }, { quiet: true })
      said({ words: `已核对 ${confirmed} 个单词的音标`, undo })
      reload()
      onClose()
    } catch (failure) {
      const named = failure instanceof CallError ? Object.entries(failure.fields).flatMap(([key, text]) => {
        const word = chosen[Number(/^words\.(\d+)/.exec(key)?.[1] ?? -1)]
        return word ? [[word.id, text.replace(/^第 \d+ 行「.*?」：/, '')] as const] : []
      }) : []
      setWrong(new Map(named))
      setProblem(named.length > 0 ? `有 ${named.length} 个单词没有通过，都没有写入` : failure instanceof Error ? failure.message : '保存失败')
      setBusy(false)
    }
  }
  return (
    <Modal open width={960} title={`核对音标 · ${row.name}`} okText={`确认 ${ticked.size} 个`} okButtonProps={{ disabled: ticked.size === 0 }} confirmLoading={busy} onOk={() => void save()} onCancel={close} mask={{ closable: false }}>
      {problem && <Alert className="form-alert" type="error" showIcon title={problem} role="alert" />}
      {error && <Alert className="form-alert" type="error" showIcon title={error.message} role="alert" />}
      {!data && !error && <Skeleton active paragraph={{ rows: 6 }} />}
      {data && (words.length === 0 ? <p className="note">音标都已核对。</p> : (
        <>
          <p className="note">建议来自发音词典（美音）和对照规则（英音），词典没有的按拼写推测，都可能有错：逐个看过再勾选，只有勾选的会写入。</p>
          <div className="phonetics-bar">
            <Checkbox checked={ticked.size === words.length} indeterminate={ticked.size > 0 && ticked.size < words.length} onChange={({ target }) => tick(words.map(({ id }) => id), target.checked)}>全部 {words.length} 个</Checkbox>
            {sure.length > 0 && sure.length < words.length && <Checkbox checked={sure.every((id) => ticked.has(id))} onChange={({ target }) => tick(sure, target.checked)}>词典收录的 {sure.length} 个</Checkbox>}
          </div>
          <div className="phonetics-head" aria-hidden="true"><span /><span>单词</span>{WAYS.map(({ way, label }) => <span key={way}>{label}</span>)}<span>来源</span></div>
          <ul className="phonetics-list" aria-label="待核的单词">
            {words.map((word) => (
              <li key={word.id} data-wrong={wrong.has(word.id)}>
                <Checkbox checked={ticked.has(word.id)} aria-label={`${word.headword} 音标无误`} onChange={({ target }) => tick([word.id], target.checked)} />
                <span><strong>{word.headword}</strong><small>{word.cn}</small></span>
                {WAYS.map(({ way, label }) => (
                  <AutoComplete key={way} className="ipa" value={valueOf(word, way)} options={readingsOf(word, way)} placeholder={label} aria-label={`${word.headword} 的${label}`}
                    onChange={(value: string) => setTyped(new Map(typed).set(word.id, { ...typed.get(word.id), [way]: value }))} onSelect={() => tick([word.id], true)} />
                ))}
                <small className={word.proposal.source === 'rules' ? 'lacking' : 'whole'}>{IPA_SOURCES[word.proposal.source]}{word.proposal.uk.length > 1 && ` · ${word.proposal.uk.length} 种读法`}</small>
                {wrong.has(word.id) && <span className="problem" role="alert">{wrong.get(word.id)}</span>}
              </li>
            ))}
          </ul>
        </>
      ))}
    </Modal>
  )
}
