import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Empty, Skeleton, Tag } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../../core/endpoint/call.tsx'
import { useCan } from '../../../core/session/staff-context.tsx'
import type { PracticeDetail } from '../bank/calls.ts'
import { COMPARE, replaceImpact, replaceUses } from '../compare/calls.ts'
import { PickDialog } from '../similar/pick-dialog.tsx'
import { practiceUses } from './calls.ts'

/** Papers, sets and lists that a question is used in, and how another question takes its place in them. */
export function UsesPanel({ detail }: { detail: PracticeDetail }) {
  const { id } = detail
  const { message, modal } = App.useApp()
  const client = useQueryClient()
  const can = useCan()
  const [picking, setPicking] = useState(false)
  const { data, error, isPending, refetch } = useQuery({ queryKey: ['practice', id, 'uses'], queryFn: ({ signal }) => call(practiceUses, undefined, { params: { id }, signal, quiet: true }) })
  if (error) return <Alert type="error" title={error.message} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (isPending) return <Skeleton active />
  if (data.items.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有被引用" />
  const replace = async (to: { id: number; no: string }) => {
    const { moved, left_alone, refusal, uses } = await call(replaceImpact, { to_id: to.id }, { params: { id } })
    if (refusal !== null) return void modal.warning({ title: '不能替换', content: refusal })
    modal.confirm({
      title: `用 ${to.no} 替换 ${detail.no}？`, width: 520, okText: '替换', okButtonProps: { disabled: moved === 0 },
      content: (
        <>
          <p>{moved > 0 ? `${moved} 处将改用 ${to.no}` : '没有可以替换的引用'}{left_alone > 0 ? `，${left_alone} 处没有权限修改、正在审核或已经有 ${to.no}，保持不变` : ''}。</p>
          <p className="note">已上架的版本、定稿和已打印的内容不变。</p>
          <ul className="rail-labels">{uses.slice(0, 8).map(({ kind, title }, index) => <li key={index}><span>{title}</span><Tag>{kind}</Tag></li>)}</ul>
        </>
      ),
      onOk: async () => {
        const done = await call(replaceUses, { to_id: to.id }, { params: { id } })
        void message.success(`已替换 ${done.moved} 处${done.left_alone > 0 ? `，${done.left_alone} 处没有变` : ''}`)
        await client.invalidateQueries({ queryKey: ['practice'] })
        await client.invalidateQueries({ queryKey: ['practices'] })
      },
    })
  }
  return (
    <>
      {can(COMPARE) && <Button size="small" onClick={() => setPicking(true)}>替换引用</Button>}
      <ul className="rail-labels" aria-label="引用">
        {data.items.map(({ kind, title, path }, index) => <li key={index}><span>{path === null ? <b>{title}</b> : <Link to={path}>{title}</Link>}</span><Tag>{kind}</Tag></li>)}
      </ul>
      {picking && <PickDialog title="替换成" single sources={[]} within={{ pool: detail.pool, level: detail.level as 0, cat_id: detail.subject_id }} taken={[id]} onClose={() => setPicking(false)} onPick={async ([row]) => { if (row) await replace(row) }} />}
    </>
  )
}
