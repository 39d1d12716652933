"""Columns of every kind that Django has."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Lower


class Category(models.Model):
    name = models.CharField(max_length=50, unique=True)
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE)


class Article(models.Model):
    code = models.SlugField(max_length=30)
    category = models.ForeignKey(Category, on_delete=models.PROTECT, related_name="articles")
    title = models.CharField(max_length=200)
    text = models.TextField(blank=True)
    price = models.DecimalField(max_digits=9, decimal_places=2)
    weight = models.FloatField(null=True)
    pieces = models.PositiveIntegerField(default=0)
    sold = models.BooleanField(default=False)
    offered = models.DateField(null=True)
    changed = models.DateTimeField(auto_now=True)
    delivery = models.DurationField(null=True)
    picture = models.BinaryField(null=True)
    token = models.UUIDField(null=True)
    related = models.ManyToManyField("self", blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["category", "code"], name="article_code"),
            models.CheckConstraint(condition=models.Q(price__gte=0), name="article_price"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["title", "-price"], name="article_title"),
            models.Index(Lower("code"), name="article_lower_code"),
        ]
