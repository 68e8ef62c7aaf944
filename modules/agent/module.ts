import { defineModule } from '../../core/module/define.ts'

export { agent, AGENT_STATUS } from './agent.ts'

/** Who sells for a commission. A module of its own, so that what is built on orders may build on agents too. */
export default defineModule({
  name: 'agent',
  title: '代理',
  screens: [],
})
