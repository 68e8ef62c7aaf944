import { useQuery } from '@tanstack/react-query'
import { Button, Result, Skeleton, Space } from 'antd'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { request } from '../../core/endpoint/call.tsx'
import { StateWord } from '../../core/field/choice.tsx'
import { RecordForm } from '../../core/record/record-form.tsx'
import type { WireRow } from '../../core/resource/endpoints.ts'
import { useTabTitle } from '../../core/shell/tabs-context.tsx'
import { useSaid } from '../../core/undo/use-said.tsx'
import { PhoneticsDialog } from './phonetics-dialog.tsx'
import { WordCard } from './word-card.tsx'
import wordView from './word-view.tsx'
import { englishWord, IPA_STATE, IPA_STATES } from './word.ts'
import './english.css'

type Word = WireRow<typeof englishWord>
type Decided = Word & { readonly undo?: number }

const { item, list } = englishWord.api

/** The same word in other units, which may mean something else there. */
function Twins({ word }: { word: Word }) {
  const { data } = useQuery({
    queryKey: ['english twins', word.headword], queryFn: ({ signal }) => request<{ items: Word[] }>('GET', list, { keyword: word.headword, page_size: 100 }, { signal, quiet: true }),
  })
  const others = data?.items.filter(({ id, headword }) => id !== word.id && headword === word.headword) ?? []
  if (others.length === 0) return null
  return (
    <section>
      <h4>其他单元的「{word.headword}」</h4>
      <ul>{others.map((one) => <li key={one.id}><Link to={`/englishApp/editWord/${one.id}`}>{one.unit_name}</Link> {(one.meanings ?? []).map(({ cn }) => cn).join('；')}</li>)}</ul>
    </section>
  )
}

/** 编辑单词: everything that belongs to a word, beside it as learners see it; its phonetics are confirmed here. */
export default function EditWordScreen() {
  const id = Number(useParams()['id'])
  const navigate = useNavigate()
  const said = useSaid()
  const [checking, setChecking] = useState(false)
  const { data: word, error, refetch } = useQuery({ queryKey: ['english word', id], queryFn: ({ signal }) => request<Word>('GET', `${item}/${id}`, undefined, { signal, quiet: true }) })
  useTabTitle(word?.headword)
  if (error) return <Result status="warning" title={error.message} extra={<Button onClick={() => void refetch()}>重试</Button>} />
  if (!word) return <Skeleton active paragraph={{ rows: 12 }} />
  const back = () => void navigate(word.unit_id === null ? '/englishApp/detail' : `/englishApp/detail?show=word&unit_id=${word.unit_id}`)
  const decide = async (action: 'confirm' | 'reopen') => {
    const row = await request<Decided>('POST', `${item}/${id}/${action}`, { rev: word.rev }).catch(() => undefined)
    if (row) said({ words: action === 'confirm' ? '音标已核对' : '已退回待核', undo: row.undo })
    await refetch()
  }
  return (
    <div className="words-page word-editor">
      {word.can.includes('edit') ? <RecordForm key={`${id} ${word.rev}`} inPlace resource={englishWord} presentation={wordView} row={word} onClose={back} onSaved={() => void refetch()} /> : <p className="note">没有编辑权限，只能查看。</p>}
      <aside>
        <WordCard word={word} />
        <Space>
          <StateWord choices={IPA_STATES} value={word.state} />
          {word.can.includes('confirm') && word.state === IPA_STATE.open && <Button type={word.uk && word.us ? 'default' : 'primary'} onClick={() => setChecking(true)}>查看音标建议</Button>}
          {word.can.includes('confirm') && word.state === IPA_STATE.open && word.uk && word.us && <Button type="primary" onClick={() => void decide('confirm')}>音标无误</Button>}
          {word.can.includes('reopen') && word.state === IPA_STATE.checked && <Button onClick={() => void decide('reopen')}>退回待核</Button>}
        </Space>
        <Twins word={word} />
        {checking && <PhoneticsDialog row={{ id: word.id, name: word.headword }} of="word_id" reload={() => void refetch()} onClose={() => setChecking(false)} />}
      </aside>
    </div>
  )
}
