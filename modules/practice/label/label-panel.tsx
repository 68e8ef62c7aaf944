import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Descriptions, Skeleton, Space, Tabs, Tag } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call, request } from '../../../core/endpoint/call.tsx'
import { viewOf } from '../../../core/field/views.tsx'
import { RecordForm } from '../../../core/record/record-form.tsx'
import { Timeline } from '../../../core/record/timeline.tsx'
import { useRemoval } from '../../../core/record/use-removal.tsx'
import type { WireRow } from '../../../core/resource/endpoints.ts'
import { fieldOf } from '../../../core/resource/meta-fields.ts'
import { bankPath, POOLS } from '../bank/practice.ts'
import { formatSearch } from '../bank/search-state.ts'
import { levelOfSubject } from '../bank/number.ts'
import { SelectedPanel } from '../selected/selected-panel.tsx'
import { labelNode, type LabelNode } from './calls.ts'
import { Coverage } from './coverage.tsx'
import { MAX_DEPTH } from './label.ts'
import { MergeDialog, MoveDialog, SplitDialog } from './label-dialogs.tsx'
import { LABEL_RESOURCES, moveLabel, readLabels, useReloadLabels } from './label-tools.tsx'

const FACTS: readonly string[] = ['alias', 'code', 'colour', 'importance', 'exam_freq', 'prereq_ids', 'status', 'remark', 'updated_by_name', 'updated_at']

type Dialog = 'edit' | 'below' | 'move' | 'merge' | 'split'

/** Everything about one label, and everything that can be done with it. */
export function LabelPanel({ id, onShow }: { id: number; onShow: (id: number | undefined) => void }) {
  const { message } = App.useApp()
  const removal = useRemoval()
  const navigate = useNavigate()
  const client = useQueryClient()
  const reload = useReloadLabels()
  const [dialog, setDialog] = useState<Dialog>()
  const found = useQuery({ queryKey: ['label-node', id], queryFn: ({ signal }) => call(labelNode, undefined, { params: { id }, signal, quiet: true }) })
  const node = found.data?.node
  const resource = node && LABEL_RESOURCES[node.kind]
  const record = useQuery({
    queryKey: ['record', resource?.name, node?.id, node?.rev], enabled: resource !== undefined, queryFn: ({ signal }) => request<WireRow>('GET', `${resource?.api.item}/${node?.id}`, {}, { signal, quiet: true }),
  })
  const row = record.data
  const error = found.error ?? record.error
  if (error) return <Alert type="error" showIcon title={error.message} action={<Button size="small" onClick={() => void (found.error ? found.refetch() : record.refetch())}>重试</Button>} />
  if (!node || !resource || !row) return <Skeleton active />
  const may = (action: string) => row.can.includes(action)
  const done = async (show: number | undefined) => {
    setDialog(undefined)
    await reload()
    onShow(show)
  }
  const nudge = async (by: -1 | 1) => {
    const siblings = await client.fetchQuery({ queryKey: ['labels', node.kind, node.cat_id, node.pid ?? 'roots', 'now'], staleTime: 0, queryFn: () => readLabels(node.kind, node.cat_id, node.pid ?? undefined) })
    const at = siblings.findIndex((one: LabelNode) => one.id === node.id)
    const before = by === -1 ? siblings[at - 1] : siblings[at + 2]
    if ((by === -1 && at <= 0) || (by === 1 && at >= siblings.length - 1)) return void message.info(by === -1 ? '已经是第一个' : '已经是最后一个')
    await moveLabel(node, node.pid, before?.id)
    await reload()
  }
  const remove = () => removal({
    path: `${resource.api.item}/${node.id}`, name: node.name, instead: '也可以把它合并到其他标签。',
    run: async () => {
      await request('DELETE', `${resource.api.item}/${node.id}`)
      void message.success('删除成功')
      await done(node.pid ?? undefined)
    },
  }).catch(() => undefined)
  const root = node.pid === null
  const questions = (pool: (typeof POOLS)[number]['value'], count: number) => (
    <Button size="small" type="link" disabled={count === 0} onClick={() => void navigate(`${bankPath(pool, levelOfSubject(node.cat_id))}?${formatSearch({ cat_id: node.cat_id, label_ids: [node.id] })}`)}>{count.toLocaleString('zh-CN')} 道</Button>
  )
  return (
    <article className="label-panel" aria-label={`${resource.label} ${node.name}`}>
      <header>
        <small className="note">{found.data?.above.slice(node.kind === 'knowledge' ? 1 : 0).map(({ name }) => name).join(' › ') || '顶层'}</small>
        <h2>{node.name} {node.status === 0 && <Tag>已停用</Tag>}</h2>
        <Space wrap size={4}>
          {may('edit') && <Button type="primary" onClick={() => setDialog('edit')}>编辑</Button>}
          {may('edit') && node.depth < MAX_DEPTH && <Button onClick={() => setDialog('below')}>新增下级</Button>}
          {may('edit') && !root && <Button onClick={() => setDialog('move')}>移动</Button>}
          {may('edit') && !root && <Button onClick={() => void nudge(-1).catch(() => undefined)}>上移</Button>}
          {may('edit') && !root && <Button onClick={() => void nudge(1).catch(() => undefined)}>下移</Button>}
          {may('edit') && !root && <Button onClick={() => setDialog('merge')}>合并</Button>}
          {may('edit') && !root && <Button onClick={() => setDialog('split')}>拆分</Button>}
          {may('remove') && !root && <Button danger onClick={() => void remove()}>删除</Button>}
        </Space>
      </header>
      <Tabs items={[
        {
          key: 'facts', label: '详情',
          children: (
            <Descriptions size="small" column={{ xs: 1, xl: 2 }} items={[
              { key: 'id', label: '编号', children: node.id },
              { key: 'questions', label: '题量', children: <span>后台{questions('back', node.back_count)}正式{questions('official', node.official_count)}</span> },
              ...FACTS.map((key) => {
                const field = fieldOf(resource, key)
                const { Cell } = viewOf(field)
                return { key, label: field.label, children: <Cell field={field} name={key} value={row[key]} row={row} /> }
              }),
            ]} />
          ),
        },
        ...(node.has_children ? [{ key: 'coverage', label: '覆盖', children: <Coverage kind={node.kind} subjectId={node.cat_id} pid={node.id} onOpen={onShow} /> }] : []),
        ...(node.kind === 'knowledge' && !root ? [{ key: 'selected', label: '精选题', children: <SelectedPanel at={{ scope: 'label', id: node.id, subjectId: node.cat_id, labelIds: [node.id] }} mayEdit={may('edit')} /> }] : []),
        { key: 'history', label: '动态', children: <Timeline resource={resource} row={row} onChanged={() => void reload()} /> },
      ]} />
      {dialog === 'edit' && <RecordForm resource={resource} row={row} onClose={() => setDialog(undefined)} onSaved={() => void reload()} />}
      {dialog === 'below' && <RecordForm resource={resource} start={{ subject_id: node.cat_id, parent_id: node.id }} onClose={() => setDialog(undefined)} onSaved={(saved) => { void reload(); onShow(saved.id) }} />}
      {dialog === 'move' && <MoveDialog node={node} onClose={() => setDialog(undefined)} onDone={(show) => void done(show)} />}
      {dialog === 'merge' && <MergeDialog node={node} onClose={() => setDialog(undefined)} onDone={(show) => void done(show)} />}
      {dialog === 'split' && <SplitDialog node={node} onClose={() => setDialog(undefined)} onDone={(show) => void done(show)} />}
    </article>
  )
}
