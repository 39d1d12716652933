{{ config(materialized='view') }}
with totals as (select * from {{ ref('customer_totals') }})
select id, name, total from totals where total > 5
