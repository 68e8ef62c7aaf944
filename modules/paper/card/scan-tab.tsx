import { InboxOutlined } from '@ant-design/icons'
import { Alert, App, Descriptions, Upload } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { call, request } from '../../../core/endpoint/call.tsx'
import type { JobInfo } from '../../../core/job/calls.ts'
import { JobProgress } from '../../../core/job/job-progress.tsx'
import { readScans, uploadScan, type Marking } from './calls.ts'

interface Props {
  marking: Marking
  job: JobInfo | undefined
  moving: boolean
  onCancel: () => void
  onRetry: () => void
  onStarted: () => void
  /** Pages were read. */
  onMoved: () => void
}

/** Sends scanned pages, and shows how far they are read. */
export function ScanTab({ marking, job, moving, onCancel, onRetry, onStarted, onMoved }: Props) {
  const { message } = App.useApp()
  const [sent, setSent] = useState<{ done: number; all: number }>()
  const tell = useRef(onMoved)
  useEffect(() => {
    tell.current = onMoved
  })
  const done = job?.done
  const status = job?.status
  useEffect(() => {
    if (done !== undefined || status !== undefined) tell.current()
  }, [done, status])
  const send = async (chosen: readonly File[]) => {
    // Front and back may be files of their own: 2 comes before 10.
    const files = chosen.toSorted((a, b) => a.name.localeCompare(b.name, 'zh', { numeric: true }))
    setSent({ done: 0, all: files.length })
    try {
      const ids: string[] = []
      for (const file of files) {
        const body = new FormData()
        body.append('file', file)
        ids.push((await request<{ id: string }>(uploadScan.method, uploadScan.path, body)).id)
        setSent({ done: ids.length, all: files.length })
      }
      const { again } = await call(readScans, { file_ids: ids }, { params: { id: marking.id } })
      if (again > 0) void message.warning(`${again} 个文件以前上传过，没有再次识别`, 5)
      onStarted()
    } catch {
      // The shell has shown why.
    } finally {
      setSent(undefined)
    }
  }
  const { pages } = marking
  return (
    <div className="marking-scan">
      {marking.state === 'open' && (
        <Upload.Dragger accept=".pdf,.png,.jpg,.jpeg,.webp" multiple showUploadList={false} disabled={sent !== undefined} beforeUpload={(file, all) => { if (file === all[0]) void send(all); return false }}>
          <p className="ant-upload-drag-icon"><InboxOutlined /></p>
          <p className="ant-upload-text">{sent ? `正在上传 ${sent.done} / ${sent.all} …` : '点击或把扫描件拖到这里'}</p>
          <p className="ant-upload-hint">PDF、PNG、JPEG，可多选；建议 200 DPI 灰度扫描，正反面连续；手机拍照请拍全四角黑块</p>
        </Upload.Dragger>
      )}
      {job && (moving || job.status !== 'done') && <JobProgress job={job} onCancel={onCancel} onRetry={onRetry} />}
      {marking.broken.map(({ name, problem }) => <Alert key={name} type="error" showIcon title={`${name}：${problem}`} />)}
      <Descriptions bordered size="small" column={{ xs: 1, sm: 2, lg: 3 }} items={[
        { key: 'all', label: '已识别', children: `${pages.all} 页` }, { key: 'candidates', label: '考生', children: `${marking.candidates} 人${marking.roster.length > 0 ? `（名单 ${marking.roster.length} 人）` : ''}` }, { key: 'loose', label: '考号待填', children: `${pages.loose} 页` },
        { key: 'twice', label: '重复未计入', children: `${pages.twice} 页` }, { key: 'failed', label: '未识别', children: `${pages.failed} 页` }, { key: 'doubtful', label: '存疑填涂', children: `${marking.doubtful} 处` },
      ]} />
    </div>
  )
}
