{{ config(materialized='incremental', incremental_strategy='append') }}
select id, amount from {{ ref('orders') }}
{% if is_incremental() %}where id > (select max(id) from {{ this }}){% else %}where id < 12{% endif %}
