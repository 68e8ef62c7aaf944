import { defineModule } from '../../core/module/define.ts'

/** 运营活动: links that sell packages of several lines, flash sales, activities with coupons and groups, and who brought whom. */
export default defineModule({ name: 'promotion', title: '运营活动', screens: ['/operate/paylink', '/operate/flash-sale', '/operate/activity', '/operate/user/share'] })
