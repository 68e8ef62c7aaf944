import { ArrowLeftOutlined, DeleteOutlined, PlusOutlined, RedoOutlined, UndoOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Empty, Input, Result, Skeleton, Space } from 'antd'
import { useDeferredValue, useState } from 'react'
import { Link, useParams } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { StateWord } from '../../../core/field/choice.tsx'
import { isSameJson } from '../../../core/field/same-json.ts'
import { useUnsaved } from '../../../core/form/unsaved.tsx'
import { resourceEndpoints, type WireRow } from '../../../core/resource/endpoints.ts'
import { useCan } from '../../../core/session/staff-context.tsx'
import { useTabTitle } from '../../../core/shell/tabs-context.tsx'
import { useUndoKeys } from '../../../core/ui/use-undo-keys.tsx'
import { useSaid } from '../../../core/undo/use-said.tsx'
import { useSend } from '../../user/door.tsx'
import { packEndpoints, type TermAsset } from '../calls.ts'
import type { Companion } from '../companion.ts'
import type { PackItem } from '../pack-item.ts'
import { MOST_TERMS, termWord, usersOf, type PackTerm } from '../pack-term.ts'
import { PACK_STATE, type PackResource } from '../pack.ts'
import { PasteTerms } from './paste-dialog.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { TermForm } from './term-form.tsx'
import { TermOrder } from './term-order.tsx'
import { TermsView } from './terms-view.tsx'
import '../companion.css'
import './terms.css'

/** What is edited here: the terms, and which items use them. */
interface Draft { terms: readonly PackTerm[]; items: readonly PackItem[] }

/** Steps that can be taken back. */
const STEPS = 50

/** A draft with the steps that led to it; typing in one field is one step. */
function useDraft(start: Draft) {
  const [past, setPast] = useState<readonly { draft: Draft; at: string }[]>([])
  const [now, setNow] = useState(start)
  const [next, setNext] = useState<readonly Draft[]>([])
  return {
    draft: now, dirty: now !== start && !isSameJson(now, start),
    /** @param at what is being typed in: further letters belong to the same step */
    change: (part: Partial<Draft>, at = '') => {
      if (at === '' || past.at(-1)?.at !== at) setPast([...past, { draft: now, at }].slice(-STEPS))
      setNow({ ...now, ...part })
      setNext([])
    },
    undo: past.length === 0 ? undefined : () => { setNext([now, ...next]); setNow(past.at(-1)?.draft ?? now); setPast(past.slice(0, -1)) },
    redo: next.length === 0 ? undefined : () => { setPast([...past, { draft: now, at: '' }]); setNow(next[0] ?? now); setNext(next.slice(1)) },
  }
}

function problemOf(term: PackTerm, terms: readonly PackTerm[]): string | undefined {
  if (term.word.trim() === '') return '请填写词条'
  return terms.some((other) => other.key !== term.key && termWord(other.word) === termWord(term.word)) ? `词条「${term.word.trim()}」已经有了` : undefined
}

function Editor({ companion, pack, assets, chosen, onChoose: setChosen, onSaved }: { companion: Companion; pack: WireRow<PackResource>; assets: readonly TermAsset[]; chosen: string | undefined; onChoose: (key: string | undefined) => void; onSaved: () => void }) {
  const can = useCan()
  const said = useSaid()
  const { modal } = App.useApp()
  const { busy, problem, send } = useSend()
  const [start] = useState<Draft>({ terms: (pack.terms ?? []) as PackTerm[], items: (pack.items ?? []) as PackItem[] })
  const { draft: { terms, items }, dirty, change, undo, redo } = useDraft(start)
  const [words, setWords] = useState('')
  const [dialog, setDialog] = useState<'paste' | 'publish'>()
  const may = pack.can.includes('edit') && can(companion.packs.actions.update ?? 0)
  useUnsaved(dirty, `「${pack.name}」的词条`)
  useUndoKeys({ undo, redo }, may)
  const sought = useDeferredValue(words.trim().toLowerCase())
  const shown = new Set(terms.filter(({ word, explain }) => sought === '' || `${word} ${explain?.words ?? ''}`.toLowerCase().includes(sought)).map(({ key }) => key))
  const index = terms.findIndex(({ key }) => key === chosen)
  const current = terms[index]
  const wrong = terms.find((term) => problemOf(term, terms) !== undefined)
  const add = () => {
    const term: PackTerm = { key: crypto.randomUUID(), kind: current?.kind ?? 'word', word: '' }
    change({ terms: [...terms.slice(0, index + 1), term, ...terms.slice(index + 1)] })
    setChosen(term.key)
    setWords('')
  }
  const take = (term: PackTerm) => {
    change({ terms: terms.filter(({ key }) => key !== term.key), items: items.map((item) => (item.terms?.includes(term.key) ? { ...item, terms: item.terms.filter((key) => key !== term.key) } : item)) })
    setChosen(terms[index + 1]?.key ?? terms[index - 1]?.key)
  }
  const remove = (term: PackTerm) => {
    const users = usersOf(term, items)
    if (users.length === 0) return take(term)
    void modal.confirm({ title: `移除「${term.word}」`, content: `${users.length} 项内容用到它：${users.slice(0, 5).map(({ title }) => title).join('、')}。移除后这些内容不再关联它；已布置的任务不受影响。`, okText: '移除', okButtonProps: { danger: true }, onOk: () => take(term) })
  }
  const save = () => send(async () => {
    const { update } = resourceEndpoints(companion.packs)
    if (!update) return
    if (wrong) { setChosen(wrong.key); throw new Error(problemOf(wrong, terms)) }
    const row = await call(update, { terms: terms.map((term) => ({ ...term, word: term.word.trim() })), items, rev: pack.rev }, { params: { id: pack.id }, quiet: true })
    said({ words: '词条已保存', undo: row.undo })
    onSaved()
  })
  const published = (pack.version ?? 0) > 0
  return (
    <>
      {problem}
      {pack.state === PACK_STATE.waiting && <Alert type="info" showIcon title="资料包正在审核，要改先退回" />}
      <div className="term-panes">
        <div>
          <Input.Search allowClear aria-label="查找词条" placeholder="词条或释义" value={words} onChange={(event) => setWords(event.target.value)} />
          {terms.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有词条，添加一个，或从表格粘贴" /> : <TermOrder terms={terms} shown={shown} chosen={chosen} usedBy={(term) => usersOf(term, items).length} fixed={!may} onChoose={setChosen} onOrder={(next) => change({ terms: next })} />}
          {terms.length > 0 && shown.size === 0 && <p className="note">没有匹配的词条</p>}
          <p className="note">{terms.length} 个词条，{terms.filter((term) => usersOf(term, items).length === 0).length} 个没有内容用到</p>
        </div>
        <div>
          {!current ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="从左边选一个词条" />
            : may ? <TermForm term={current} items={items} assets={assets} problem={problemOf(current, terms)} onTerm={(term) => change({ terms: terms.map((one) => (one.key === term.key ? term : one)) }, `term ${term.key}`)} onItems={(next) => change({ items: next })} />
              : <TermsView terms={[current]} assets={assets} />}
          {may && current && <Button danger icon={<DeleteOutlined />} onClick={() => remove(current)}>移除这个词条</Button>}
        </div>
      </div>
      {may && <footer className="term-bar"><Space wrap>
        <Button type="primary" disabled={!dirty} loading={busy} onClick={() => void save()}>保存词条</Button>
        <Button icon={<PlusOutlined />} disabled={terms.length >= MOST_TERMS} onClick={add}>添加词条</Button><Button onClick={() => setDialog('paste')}>从表格粘贴</Button>
        <Button icon={<UndoOutlined />} aria-label="撤销一步" title="Ctrl + Z" disabled={!undo} onClick={undo} /><Button icon={<RedoOutlined />} aria-label="重做一步" title="Ctrl + Shift + Z" disabled={!redo} onClick={redo} />
        {published && pack.state === PACK_STATE.shelved && can(companion.packs.rights.id('approve')) && <Button disabled={dirty} title={dirty ? '先保存' : undefined} onClick={() => setDialog('publish')}>发布新版本</Button>}
      </Space></footer>}
      {dialog === 'paste' && <PasteTerms terms={terms} onClose={() => setDialog(undefined)} onTerms={(next) => { change({ terms: next }); setChosen(next[terms.length]?.key ?? chosen) }} />}
      {dialog === 'publish' && <PublishDialog companion={companion} pack={pack} onClose={() => setDialog(undefined)} onDone={onSaved} />}
    </>
  )
}

/** 资料词条: the terms of one pack, in their order, with what uses them. */
export const termsScreen = (companion: Companion) => function TermsScreen() {
  const id = Number(useParams()['id'])
  const { kind, packs } = companion
  const [chosen, setChosen] = useState<string>()
  const { one } = resourceEndpoints(packs)
  const { assets } = packEndpoints(packs)
  const pack = useQuery({ queryKey: ['pack', kind.value, id], queryFn: ({ signal }) => call(one, undefined, { params: { id }, signal, quiet: true }) as Promise<WireRow<PackResource>> })
  const media = useQuery({ queryKey: ['pack-assets', kind.value, id, pack.data?.rev], enabled: pack.data !== undefined, queryFn: ({ signal }) => call(assets, undefined, { params: { id }, signal, quiet: true }) })
  useTabTitle(pack.data && `词条 · ${pack.data.name}`)
  if (pack.error) return <Result status="warning" title={pack.error.message} />
  if (!pack.data) return <section className="page-body"><Skeleton active paragraph={{ rows: 12 }} /></section>
  const { data } = pack
  const state = packs.fields['state']
  const first = (data.terms as PackTerm[] | null | undefined)?.[0]?.key
  return (
    <section className="page-body terms-page">
      <header className="page-bar"><Link to={`${kind.screens.packs}/${id}`}><ArrowLeftOutlined /> 资料内容</Link><h1>{data.name}</h1>{state && 'choices' in state && <StateWord choices={state.choices} value={data.state} />}<span className="note">{(data.version ?? 0) > 0 ? `第 ${data.version} 版，已布置的任务保持原版本` : '还没有发布'}</span></header>
      <Editor key={data.rev} companion={companion} pack={data} chosen={chosen ?? first} onChoose={setChosen} assets={media.data?.items ?? []} onSaved={() => void pack.refetch()} />
    </section>
  )
}
