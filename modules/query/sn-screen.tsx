import { Button, Input, Segmented, Space, Table, Tag } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../core/endpoint/call.tsx'
import { useAttempt } from '../../core/form/use-attempt.tsx'
import { findLines, type FoundLine } from './calls.ts'
import { MOST_LINES } from './typed.ts'
import './query.css'

const STATES: Readonly<Record<FoundLine['state'], { label: string; tone: string }>> = { found: { label: '已找到', tone: 'success' }, many: { label: '不唯一', tone: 'warning' }, none: { label: '没有找到', tone: 'error' }, bad: { label: '无法识别', tone: 'default' }, same: { label: '重复', tone: 'default' } }
type Shown = FoundLine['state'] | 'all'

/** Numbers of all kinds, pasted line by line, and what each of them is. */
export default function SnScreen() {
  const [words, setWords] = useState('')
  const [found, setFound] = useState<{ items: FoundLine[]; counts: Record<FoundLine['state'], number> }>()
  const [shown, setShown] = useState<Shown>('all')
  const { busy, attempt } = useAttempt()
  const lines = words.split(/[\n,，;；\t]/)
  const count = lines.filter((line) => line.trim() !== '').length
  const find = () => {
    if (count === 0 || count > MOST_LINES) return
    void attempt(async () => { setFound(await call(findLines, { lines }, { quiet: true })); setShown('all') })
  }
  return (
    <section className="page-body sn-sides" aria-label="SN查询">
      <div>
        <Input.TextArea aria-label="查询内容" rows={14} value={words} spellCheck={false} autoComplete="off" placeholder={`平板 SN、激活码、手机号、订单号，可以混在一起，一行一个，最多 ${MOST_LINES} 行`}
          onChange={(event) => setWords(event.target.value)} onKeyDown={(event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) { event.preventDefault(); find() } }} />
        <p className="note" data-over={count > MOST_LINES}>已填 {count} 行{count > MOST_LINES && `，最多 ${MOST_LINES} 行`}。Ctrl + Enter 查询。</p>
        <Space><Button type="primary" loading={busy} disabled={count === 0 || count > MOST_LINES} onClick={find}>查询</Button><Button onClick={() => { setWords(''); setFound(undefined) }}>清空</Button></Space>
      </div>
      <div>
        {found && <Segmented<Shown> value={shown} onChange={setShown} options={[{ value: 'all', label: `全部 ${found.items.length}` }, ...(Object.keys(STATES) as FoundLine['state'][]).filter((state) => found.counts[state] > 0).map((state) => ({ value: state, label: `${STATES[state].label} ${found.counts[state]}` }))]} />}
        {found ? (
          <Table<FoundLine> size="small" rowKey="row" virtual scroll={{ y: 560, x: 760 }} pagination={false} dataSource={found.items.filter(({ state }) => shown === 'all' || state === shown)} columns={[
            { title: '行', dataIndex: 'row', width: 56 },
            { title: '输入', dataIndex: 'typed', width: 180, ellipsis: true, className: 'figure' },
            { title: '结果', width: 100, render: (_value, { state }) => <Tag color={STATES[state].tone}>{STATES[state].label}</Tag> },
            { title: '对应记录', render: (_value, { items, note }) => (
              <>
                {note && <span className="note">{note}</span>}
                {items.map((one) => <div key={one.to}><Link to={one.to}>{one.kind} {one.title}</Link> {one.state && <b>{one.state}</b>}<p className="sn-facts">{one.facts.map(({ label, value }) => <span key={label}>{label} {value}</span>)}</p></div>)}
              </>
            ) },
          ]} />
        ) : <p className="note">粘贴号码后查询，每一行会说明它是什么、现在怎样。</p>}
      </div>
    </section>
  )
}
