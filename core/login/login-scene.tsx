import './login-scene.css'

/** What a day in the console looks like: kinds of work with how urgent they are. The names are made up. */
const ROWS = [
  { state: 'late', title: '温州青藤教育科技有限公司', note: '合伙人订单 · 审核', end: '超时 6 小时' },
  { state: 'today', title: '高一数学期中基础卷（浙江）', note: '试卷 · 终审', end: '今天 24:00' },
  { state: 'today', title: '与郭敏谈续约', note: '我的跟进', end: '今天 20:00' },
  { state: 'later', title: '2026 秋季授权码', note: '授权码批次 · 300 个', end: '明天' },
  { state: 'later', title: '怀德校区自习室', note: '自习室订单 · 发货', end: '11-26' },
] as const

/** Beside the login on a wide screen: the console as it waits for a person. A picture, not to be read out. */
export function LoginScene() {
  return (
    <aside className="login-scene" aria-hidden>
      <p>今天要办的事，先到期的在前</p>
      <ul>
        {ROWS.map(({ state, title, note, end }) => <li key={title}><div><b>{title}</b><small>{note}</small></div><span data-urgency={state}>{end}</span></li>)}
      </ul>
      <small>合伙自习室、自营自习室、题库和试卷，在一个后台里办完</small>
    </aside>
  )
}
