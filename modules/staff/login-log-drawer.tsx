import { useQuery } from '@tanstack/react-query'
import { Drawer, Empty, Table, Tag } from 'antd'
import { call } from '../../core/endpoint/call.tsx'
import { formatTime } from '../../core/field/time.ts'
import type { RowDialogProps } from '../../core/resource/present.tsx'
import { deviceName } from '../../core/login/device.ts'
import { LOGIN_METHODS, LOGIN_RESULTS } from '../../core/login/login-log.ts'
import { placeName } from '../../core/login/place.ts'
import { useWide } from '../../core/ui/use-media.tsx'
import { loginLog, type LoginEntry } from './grants.ts'
import { ReadFailed } from './read-failed.tsx'
import type { staff } from './staff.ts'

const METHODS: Readonly<Record<string, string>> = LOGIN_METHODS
const RESULTS: Readonly<Record<string, string>> = LOGIN_RESULTS
const COLORS: Readonly<Record<string, string>> = { ok: 'success', step: 'processing' }

/** 登录日志: the last hundred attempts to log in as somebody. */
export function LoginLogDrawer({ row, onClose }: RowDialogProps<typeof staff>) {
  const wide = useWide('md')
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['login-log', row.id], staleTime: 0, queryFn: ({ signal }) => call(loginLog, undefined, { params: { id: row.id }, signal, quiet: true }),
  })
  return (
    <Drawer open title={`登录日志 · ${row.name}`} size={wide ? 760 : '100%'} onClose={onClose}>
      {error
        ? <ReadFailed error={error} onRetry={() => void refetch()} />
        : (
          <Table<LoginEntry> size="small" rowKey="id" loading={isPending} dataSource={data?.items ?? []} scroll={{ x: 640 }} pagination={{ pageSize: 20, hideOnSinglePage: true, showSizeChanger: false }}
            locale={{ emptyText: isPending ? ' ' : <Empty description="还没有登录记录" /> }} columns={[
              { title: '时间', dataIndex: 'at', width: 165, render: (at: number) => <span className="figure">{formatTime(at)}</span> },
              { title: '方式', dataIndex: 'method', width: 90, render: (method: string) => METHODS[method] ?? method },
              { title: '结果', dataIndex: 'result', width: 170, render: (result: string) => <Tag color={COLORS[result] ?? 'error'}>{RESULTS[result] ?? result}</Tag> },
              { title: 'IP', dataIndex: 'ip', width: 150, render: (ip: string | null) => placeName(ip) },
              { title: '设备', dataIndex: 'user_agent', ellipsis: true, render: (agent: string | null) => <span title={agent ?? ''}>{deviceName(agent)}</span> },
            ]} />
        )}
    </Drawer>
  )
}
