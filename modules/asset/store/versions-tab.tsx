import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Empty, Skeleton, Space, Table } from 'antd'
import { call } from '../../../core/endpoint/call.tsx'
import { formatTime } from '../../../core/field/time.ts'
import { sizeText } from '../../../core/file/size.ts'
import { useCan } from '../../../core/session/staff-context.tsx'
import { ASSETS } from '../asset.ts'
import { assetVersions, replaceAsset, type AssetVersion } from '../calls.ts'
import { clock } from '../timing.ts'
import type { AssetRow } from './asset-view.tsx'

/** What the asset was before its file was replaced; each can take its place again. */
export function VersionsTab({ row, reload }: { row: AssetRow; reload: () => void }) {
  const { modal, message } = App.useApp()
  const client = useQueryClient()
  const can = useCan()
  const may = can(ASSETS[row.kind].rights.id('replace')) && row.cannot?.replace === undefined && row.deleted_at === null
  const { data, error } = useQuery({ queryKey: ['asset-versions', row.id, row.url], queryFn: ({ signal }) => call(assetVersions, undefined, { params: { id: row.id }, signal, quiet: true }) })
  if (error) return <Alert type="error" title={error.message} />
  if (!data) return <Skeleton active />
  if (data.items.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="文件还没有被替换过" />
  const back = (version: AssetVersion) => modal.confirm({
    title: `恢复第 ${version.no} 版文件？`, content: '现在的文件会成为历史文件，保留 30 天。', okText: '恢复',
    onOk: async () => {
      await call(replaceAsset, { url: version.url, rev: row.rev }, { params: { id: row.id } })
      void message.success('正在恢复')
      reload()
      await client.invalidateQueries({ queryKey: ['asset-versions', row.id] })
    },
  })
  return (
    <Table size="small" pagination={false} rowKey="no" dataSource={data.items} columns={[
      { title: '版本', dataIndex: 'no' },
      { title: '时长', dataIndex: 'seconds', render: (seconds: number | null) => (seconds === null ? '' : clock(seconds)) },
      { title: '大小', dataIndex: 'bytes', render: (bytes: number | null) => (bytes === null ? '' : sizeText(bytes)) },
      { title: '替换时间', dataIndex: 'at', render: (at: number) => formatTime(at).slice(0, 16) },
      { title: '替换人', dataIndex: 'staff_name' },
      { title: '保留到', dataIndex: 'expires_at', render: (at: number) => formatTime(at).slice(0, 10) },
      {
        title: '操作', key: 'act', render: (_value, version) => (
          <Space size={4}>
            <a href={version.url} target="_blank" rel="noopener noreferrer">查看</a>
            {may && <Button size="small" type="link" onClick={() => back(version)}>恢复</Button>}
          </Space>
        ),
      },
    ]} />
  )
}
