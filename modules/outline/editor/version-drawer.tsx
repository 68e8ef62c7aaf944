import { useMutation, useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Drawer, Empty, Popconfirm, Skeleton } from 'antd'
import { useMemo, useState } from 'react'
import { call } from '../../../core/endpoint/call.tsx'
import { formatTime } from '../../../core/field/time.ts'
import { outlineImpact, outlineVersion, outlineVersions, rollBackOutline, type OutlineVersion } from '../calls.ts'
import { compare, MARKS, type Names } from '../compare.ts'
import { draftOf, livingBody } from '../draft.ts'
import { Lines } from './node-panel.tsx'
import { MarkCounts } from './publish-dialog.tsx'
import type { OutlineEditing } from './use-outline.tsx'

/** Versions of an outline: what each is different in from what is being edited, and the way back to it. */
export function VersionDrawer({ editing, names, onClose }: { editing: OutlineEditing; names: Names; onClose: () => void }) {
  const { content } = editing
  const [no, setNo] = useState<number>()
  const versions = useQuery({ queryKey: ['outline-versions', content.id, content.version_no], queryFn: ({ signal }) => call(outlineVersions, undefined, { params: { id: content.id }, signal, quiet: true }) })
  const items = versions.data?.items ?? []
  return (
    <Drawer open size={720} title="版本" onClose={onClose}>
      {versions.error && <Alert type="error" showIcon title={versions.error.message} action={<Button size="small" onClick={() => void versions.refetch()}>重试</Button>} />}
      {versions.isPending && <Skeleton active />}
      {versions.data && items.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有发布过" />}
      <ul className="outline-versions">
        {items.map((version) => (
          <li key={version.no}>
            <button type="button" aria-expanded={no === version.no} onClick={() => setNo(no === version.no ? undefined : version.no)}>
              <b>v{version.no}{version.no === content.version_no && ' · 学员正在看'}</b>
              <span>{version.lessons} 个课时 · {Math.round(version.minutes)} 分钟{version.note !== '' && ` · ${version.note}`}</span>
              <small>{version.staff_name ?? '系统'} {formatTime(version.at)}</small>
            </button>
            {no === version.no && <VersionDifference editing={editing} names={names} version={version} onDone={onClose} />}
          </li>
        ))}
      </ul>
    </Drawer>
  )
}

function VersionDifference({ editing, names, version: { no }, onDone }: { editing: OutlineEditing; names: Names; version: OutlineVersion; onDone: () => void }) {
  const { content, draft, reload } = editing
  const { message } = App.useApp()
  const { data, error } = useQuery({ queryKey: ['outline-version', content.id, no], staleTime: Infinity, queryFn: ({ signal }) => call(outlineVersion, undefined, { params: { id: content.id, no }, signal, quiet: true }) })
  const differences = useMemo(() => (data ? compare(draftOf(livingBody(draftOf(data.body))), draft, names) : []), [data, draft, names])
  const restore = useMutation({
    mutationFn: async () => {
      const { token } = await call(outlineImpact, undefined, { params: { id: content.id }, quiet: true })
      return call(rollBackOutline, { token }, { params: { id: content.id, no }, quiet: true })
    },
    onSuccess: (done) => {
      void message.success(`已回滚到 v${no}，发布为 v${done.no}`)
      reload()
      onDone()
    },
    onError: (reason) => void message.error(reason.message, 5),
  })
  if (error) return <Alert type="error" showIcon title={error.message} />
  if (!data) return <Skeleton active />
  return (
    <div className="outline-version">
      <p>{differences.length === 0 ? '与正在编辑的内容相同' : <>从 v{no} 到现在：<MarkCounts differences={differences} /></>}
        {content.can_publish && no !== content.version_no && (
          <Popconfirm title={`回滚到 v${no}？`} description={content.state === 2 ? '未发布的改动会一起去掉，仍可在改动记录里找到。' : `内容与 v${no} 相同，作为 v${content.version_no + 1} 发布。`} okText={`发布为 v${content.version_no + 1}`} onConfirm={() => restore.mutate()}>
            <Button size="small" loading={restore.isPending}>回滚到 v{no}</Button>
          </Popconfirm>
        )}</p>
      <ul className="outline-changes">{differences.slice(0, 100).map((one) => <li key={one.key}><span className="outline-mark" data-mark={one.mark}>{MARKS[one.mark]}</span><div><b>{one.name}</b><Lines lines={one.lines} /></div></li>)}</ul>
    </div>
  )
}
