import { Button, Modal, Table, Tag } from 'antd'
import { formatTime } from '../field/time.ts'
import type { LoggedError } from './error-log.ts'
import { clearErrorLog } from './report-errors.tsx'
import './error-log.css'

/** Errors of this window with their place and stack (shell.md 84). */
export function ErrorLogDialog({ log, onClose }: { log: readonly LoggedError[]; onClose: () => void }) {
  return (
    <Modal open width="80%" footer={null} onCancel={onClose}
      title={<span className="error-log-title">错误日志<Button type="primary" size="small" danger onClick={clearErrorLog}>清空全部</Button></span>}>
      <p className="error-log-note">只列出本窗口打开以来的错误；全部错误已自动上报给管理员。</p>
      <Table<LoggedError> rowKey="id" size="small" bordered pagination={log.length > 10 && { pageSize: 10, showSizeChanger: false }} dataSource={[...log]} scroll={{ x: 640 }} columns={[
        {
          title: '消息', width: '40%', render: (_value, error) => (
            <dl className="error-log-facts">
              <dt>信息</dt><dd><Tag color="error">{error.message}</Tag>{error.times > 1 && <span className="figure">× {error.times}</span>}</dd>
              <dt>位置</dt><dd>{error.info}</dd>
              <dt>页面</dt><dd>{error.url}</dd>
              <dt>时间</dt><dd><time className="figure">{formatTime(error.at)}</time></dd>
            </dl>
          ),
        },
        { title: '堆栈', render: (_value, error) => <pre className="error-log-stack">{error.stack || '—'}</pre> },
      ]} />
    </Modal>
  )
}
